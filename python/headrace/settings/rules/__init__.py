"""Rules: from a job, a place and a site to items. A rule is a function of a Context that yields what fits."""
