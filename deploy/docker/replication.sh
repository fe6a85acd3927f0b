#!/bin/sh
# Run once by the image of PostgreSQL: lets the standby copy the log, confirms a commit only when the standby has it, and
# lets the service see that. The server that runs this has no standby yet, so the setting applies from its next start.
set -eu
echo 'host replication all samenet scram-sha-256' >>"$PGDATA/pg_hba.conf"
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --command "grant pg_monitor to $POSTGRES_USER" \
  --command "alter system set synchronous_standby_names = 'standby'"
