import { expect, test } from 'vitest'
import { importedRows } from './queries.ts'

test('counts the rows that an import takes over', () => {
  const none = { created: 0, updated: 0, unchanged: 0, failed: 3, companiesCreated: 1, consentsRecorded: 1, denialsKept: 1 }
  expect(importedRows({ ...none, created: 4, updated: 2, unchanged: 1 })).toBe(7)
  expect(importedRows(none)).toBe(0)
})
