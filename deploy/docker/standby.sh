#!/bin/sh
# Copies the primary at the first start, then follows it. The primary knows the standby by its cluster name; the copy has
# none, so that no commit counts as confirmed by it.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  pg_basebackup --pgdata "$PGDATA" --write-recovery-conf --wal-method stream --checkpoint fast \
    --dbname "host=postgres user=darkroom password=$PGPASSWORD"
fi
exec postgres -c cluster_name=standby
