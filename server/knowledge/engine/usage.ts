export const indexUsage = `index verify: compares the number of chunks of each source in the search engine (SEARCH_URL) with the database. Groundwork may be
running. Exits with 1 if there is a difference that was not repaired.

  --repair             repair: the programs store the chunks again, or remove those of no source
  --json               print {"differences", "waiting", "repaired"}

index rebuild: stores all chunks in the search engine again, and removes those of no source. The programs do it while they run.

  --json               print {"waiting"}

index drop: forgets the search engine, after SEARCH_URL was removed from the settings of all programs.
`
