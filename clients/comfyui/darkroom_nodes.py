"""Nodes of ComfyUI that order images and videos from a Darkroom service, each paid once."""

import base64
import hashlib
import http.client
import io
import json
import os
import time
import urllib.error
import urllib.request

import folder_paths
import numpy
import torch
from comfy import model_management
from comfy.utils import ProgressBar
from PIL import Image

# Seconds.
WAIT = 5
RESPONSE_TIMEOUT = 60
LONGEST_PAUSE = 8
TRIES = 6
# Orders with equal inputs that failed before, at most.
MOST_FAILED = 20
FINAL = ("succeeded", "failed", "canceled")
RETRIED = (408, 425, 429, 500, 502, 503, 504)


class DarkroomError(Exception):
    """A refusal or a failure, with its reason."""


def _send(method, path, body=None, headers=None):
    """Sends a request, again if its answer is lost. An order carries its key, so that a repetition orders nothing."""
    url = path if path.startswith("http") else os.environ.get("DARKROOM_URL", "http://127.0.0.1:8080") + path
    sent = {"Authorization": "Bearer " + os.environ.get("DARKROOM_API_KEY", ""), **(headers or {})}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        sent["Content-Type"] = "application/json"
    for tries in range(1, TRIES + 1):
        try:
            request = urllib.request.Request(url, data=data, headers=sent, method=method)
            with urllib.request.urlopen(request, timeout=RESPONSE_TIMEOUT) as answer:
                return answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            if error.code not in RETRIED or tries == TRIES:
                raise DarkroomError(_message(error)) from None
        except (OSError, http.client.HTTPException) as error:
            if tries == TRIES:
                raise DarkroomError("No answer from %s: %s" % (url, error)) from error
        _pause(min(LONGEST_PAUSE, 0.5 * 2 ** (tries - 1)))


def _message(error):
    try:
        return json.loads(error.read())["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return "The service answered %d." % error.code


def _call(method, path, body=None, headers=None):
    answer, given = _send(method, path, body, headers)
    return json.loads(answer)["data"], given


def _pause(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        model_management.throw_exception_if_processing_interrupted()
        time.sleep(0.1)


def _place(path, order, variation):
    """Orders once for equal inputs. An equal order that failed before cost nothing, and is ordered again."""
    digest = hashlib.sha256(json.dumps([path, order, variation], sort_keys=True).encode()).hexdigest()
    for tries in range(MOST_FAILED):
        key = "comfyui-%s-%d" % (digest[:40], tries)
        task, headers = _call("POST", path, order, {"Idempotency-Key": key})
        if "deleted_at" in task:
            raise DarkroomError("The result of these inputs was deleted. Change the variation for a new one.")
        if task["status"] != "failed" or headers.get("idempotent-replayed") != "true":
            return task
    raise DarkroomError("Orders with these inputs failed %d times. Change the variation." % MOST_FAILED)


def _wait(path, task):
    """Waits for the end of a task and shows its progress. An interruption cancels it."""
    progress = ProgressBar(100)
    address = "%s/%s" % (path, task["task_id"])
    try:
        while task["status"] not in FINAL:
            model_management.throw_exception_if_processing_interrupted()
            task, _ = _call("GET", address, headers={"Prefer": "wait=%d" % WAIT})
            progress.update_absolute(task["progress"])
    except model_management.InterruptProcessingException:
        _cancel(address)
        raise
    if task["status"] == "succeeded":
        return task
    reason = "It was canceled." if task["error"] is None else task["error"]["message"]
    raise DarkroomError("%s: %s" % (task["task_id"], reason))


def _cancel(address):
    try:
        _call("POST", address + "/cancel", {}, {"Idempotency-Key": "comfyui-cancel-" + address})
    # It may have ended by now, or its engine cannot stop.
    except DarkroomError as error:
        print("Darkroom could not cancel %s: %s" % (address, error))


def _make(path, variation, model, prompt, size, fields, references, reference_field):
    """Orders with the inputs of a node and waits. @returns the task and the bytes of its file"""
    order = _order(model, prompt, size, fields, references, reference_field)
    task = _wait(path, _place(path, order, variation))
    content, _ = _send("GET", "%s/%s/content" % (path, task["task_id"]))
    return task, content


def _order(model, prompt, size, fields, references, reference_field):
    order = json.loads(fields or "{}")
    order["model_id"] = model
    if prompt:
        order["prompt"] = prompt
    if size:
        order["size"] = size
    if references is not None:
        pictures = [_data_url(one) for one in numpy.asarray(references)]
        order[reference_field] = pictures[0] if reference_field.endswith("_url") else pictures
    return order


def _data_url(pixels):
    file = io.BytesIO()
    Image.fromarray(numpy.clip(pixels * 255.0 + 0.5, 0, 255).astype(numpy.uint8)).save(file, format="PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def _inputs(model, reference_field):
    return {
        "required": {
            "model": ("STRING", {"default": model}),
            "prompt": ("STRING", {"multiline": True, "default": ""}),
            "variation": ("INT", {"default": 0, "min": 0, "max": 2**31 - 1}),
        },
        "optional": {
            "size": ("STRING", {"default": ""}),
            "fields": ("STRING", {"multiline": True, "default": "{}"}),
            "references": ("IMAGE",),
            "reference_field": ("STRING", {"default": reference_field}),
        },
    }


class DarkroomImage:
    """Orders an image and returns it as a tensor of [1, height, width, 3]."""

    RETURN_TYPES = ("IMAGE", "STRING")
    RETURN_NAMES = ("image", "task_id")
    FUNCTION = "make"
    CATEGORY = "Darkroom"

    @classmethod
    def INPUT_TYPES(cls):
        return _inputs("sketch", "image_urls")

    def make(self, model, prompt, variation, size="", fields="{}", references=None, reference_field="image_urls"):
        task, content = _make("/v1/images", variation, model, prompt, size, fields, references, reference_field)
        pixels = numpy.asarray(Image.open(io.BytesIO(content)).convert("RGB")).astype(numpy.float32) / 255.0
        return torch.from_numpy(pixels[None, ...]), task["task_id"]


class DarkroomVideo:
    """Orders a video, stores it in ComfyUI's output folder and returns its path."""

    RETURN_TYPES = ("STRING", "STRING")
    RETURN_NAMES = ("path", "task_id")
    FUNCTION = "make"
    CATEGORY = "Darkroom"
    OUTPUT_NODE = True

    @classmethod
    def INPUT_TYPES(cls):
        return _inputs("sketch-motion", "first_frame_url")

    def make(self, model, prompt, variation, size="", fields="{}", references=None, reference_field="first_frame_url"):
        task, content = _make("/v1/videos", variation, model, prompt, size, fields, references, reference_field)
        name = "%s.%s" % (task["task_id"], task["outputs"][0]["content_type"].split("/")[1])
        path = os.path.join(folder_paths.get_output_directory(), name)
        with open(path, "wb") as file:
            file.write(content)
        return path, task["task_id"]


NODE_CLASS_MAPPINGS = {"DarkroomImage": DarkroomImage, "DarkroomVideo": DarkroomVideo}
NODE_DISPLAY_NAME_MAPPINGS = {"DarkroomImage": "Darkroom Image", "DarkroomVideo": "Darkroom Video"}
