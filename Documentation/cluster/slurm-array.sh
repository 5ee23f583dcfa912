#!/usr/bin/env bash
# Runs a scenario as a Slurm array: each task makes one of the shards.
#
#   sbatch --array=1-4 slurm-array.sh 4 Reports/job scenario.yaml [OPTION ...]
#
# The arguments are the number of shards, the folder for their reports on a file system that all nodes share, and the
# scenarios and options of `yapbench run`. Afterwards, and again after a repeated shard:
#
#   yapbench merge Reports/job
#
# `sbatch --array=3 slurm-array.sh 4 Reports/job scenario.yaml` repeats the third shard alone.
#
# A stress campaign or a calibration instead of a run, with its options:
#
#   YAPBENCH_COMMAND="stress crash" sbatch --array=1-4 slurm-array.sh 4 Reports/job --kills 10000 --seed 7
#   YAPBENCH_COMMAND=calibrate sbatch --array=1-4 slurm-array.sh 4 Reports/job --pairs 30 --seed 7
#SBATCH --job-name=yapbench
#SBATCH --array=1-4
# A whole node for each task: other jobs on the node would change the figures.
#SBATCH --exclusive
# SIGTERM reaches the program a minute before the time limit, so that it still writes the report of a partial shard.
#SBATCH --signal=TERM@60
#SBATCH --time=02:00:00
set -euo pipefail

if [ $# -lt 3 ]; then
  echo "usage: sbatch --array=1-N slurm-array.sh N REPORTS SCENARIO|OPTION ..." >&2
  exit 64
fi
shards=$1 reports=$2
shift 2
read -ra command <<<"${YAPBENCH_COMMAND:-run}"

export YAPBENCH_MACHINE=${YAPBENCH_MACHINE:-${SLURMD_NODENAME:-}}
# The database is in a new folder on the node's own disk: SQLite's WAL does not work on network file systems.
exec srun --ntasks=1 "${YAPBENCH:-yapbench}" "${command[@]}" --shard "auto/$shards" \
  --data-dir "${YAPBENCH_DATA:-/tmp}" --out "$reports/shard-$SLURM_ARRAY_TASK_ID" "$@"
