# SPDX-License-Identifier: Apache-2.0
#
# Completion of `sinew` for fish, in a folder of $fish_complete_path.

function __sinew_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] 2>/dev/null)
        switch $line
            case :files
                # of --out=FILE, the part that is a path
                set -l head (string match -r -- '^--[^=]*=' $words[-1])
                __fish_complete_path (string replace -- "$head" '' $words[-1]) | string replace -r '^' -- "$head"
            case :folders
                __fish_complete_directories $words[-1] ''
            case '*'
                echo $line
        end
    end
end

complete -c sinew -f -a '(__sinew_complete)'
