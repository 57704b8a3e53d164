#!/bin/sh
# A git hook for a repository that holds a task library: audits the tasks that a commit, a merge or a push changes, and
# stops it when one does not hold. Copy it, executable, under one or more of these names:
#
#     .git/hooks/pre-commit          what is about to be committed, against HEAD
#     .git/hooks/pre-merge-commit    what a merge brings in, against HEAD
#     .git/hooks/pre-push            what is not yet on the branch's upstream
#
# bootcamp.toml at the top of the repository says where the library is:  library = "tasks"
# BOOTCAMP_AUDIT_FAIL_ON: the lightest finding that stops it (default: major). git's --no-verify passes the hook by.
set -eu

if [ "$(basename "$0")" = "pre-push" ]; then
    base='@{upstream}'
    git rev-parse --verify --quiet "$base" > /dev/null || base=$(git rev-list --max-parents=0 HEAD | tail -n 1)
else
    base=HEAD
fi
fail_on=${BOOTCAMP_AUDIT_FAIL_ON:-major}
unset BOOTCAMP_AUDIT_FAIL_ON
exec bootcamp audit --changed "$base" --fail-on "$fail_on"
