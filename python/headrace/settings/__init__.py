"""What to set here for a job: `headrace advise`. First: advise.py.

    place: what is seen of the machine      job: what is asked for, or read from a trace or from results
            \\                               /
             rules/: (job, place, site) -> items, each with its source      sites: profiles, TOML
                                |
             order, text, job scripts, trials

What to change in source lines is said by `headrace trace`: package advice.
"""
