#!/bin/sh
# Checks what a pull request does to the memories in its repository, in any CI: heed-check.sh BASE
#
# Prints annotations on GitHub and text elsewhere; adds a summary to $GITHUB_STEP_SUMMARY and SARIF to $HEED_SARIF, where
# they are set. Exits as `heed check` does: 1 when a memory is false or a file wrong, 2 when BASE is not in the checkout.
# Reads the checkout alone, uses no network, and leaves nothing on the machine.
set -u
base="${1:?heed-check.sh BASE: give the commit or branch to compare with}"
heed="${HEED:-$(dirname "$0")/../../plugin/dist/heed.cjs}"
place=$(mktemp -d) || exit 5
trap 'rm -rf "$place"' EXIT
export HEED_DIR="$place/memory" HEED_STATE_DIR="$place/state"
export HEED_CACHE_DIR="$place/cache" HEED_CONFIG_DIR="$place/config"

check() { node "$heed" check --base "$base" --format "$1"; }

if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then check markdown >>"$GITHUB_STEP_SUMMARY" 2>/dev/null; fi
if [ -n "${HEED_SARIF:-}" ]; then check sarif >"$HEED_SARIF" 2>/dev/null; fi
if [ "${GITHUB_ACTIONS:-}" = true ]; then check github; else check text; fi
