import { LITELLM_PACKAGES, openPython } from '../python.ts';
import { startPythonProgram } from '../python-program.ts';
import type { PublishedClient } from './clients.ts';

let program: Promise<ReturnType<typeof startPythonProgram>> | null = null;

/** LiteLLM: the methods `completion` and `imageGeneration`, whose arguments have names. */
export const litellm: PublishedClient = {
  name: `${LITELLM_PACKAGES[0]?.replace('==', ' ')}`,
  async call(baseUrl, key, [method, args]) {
    program ??= openPython(LITELLM_PACKAGES, { LITELLM_LOCAL_MODEL_COST_MAP: 'True' }).then((python) =>
      startPythonProgram(python, PYTHON_CALL),
    );
    const name = method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return await (await program)({ baseUrl: `${baseUrl}/openai/v1`, key, name, args });
  },
};

const PYTHON_CALL = `
import json
import litellm

# Otherwise it prints advice among the answers.
litellm.suppress_debug_info = True

def plain(value):
    return [plain(one) for one in value] if hasattr(value, "__next__") else json.loads(value.model_dump_json())

def answer(order):
    options = {"api_base": order["baseUrl"], "api_key": order["key"], **order["args"]}
    options["model"] = "openai/" + options["model"]
    try:
        return {"value": plain(getattr(litellm, order["name"])(**options))}
    except Exception as error:
        status = getattr(error, "status_code", None)
        return {"error": {"status": status, "code": getattr(error, "code", None), "message": str(error)}}
`;
