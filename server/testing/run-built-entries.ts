import { runBuiltEntries } from '../lib/entry.ts'

// `npm test` and its variants build the program first.
runBuiltEntries()
