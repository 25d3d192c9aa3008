import { expect, test } from 'vitest'
import { fileProblem } from './check-file.ts'
import { importMessages } from './messages.ts'

const words = importMessages.en

test.each([
  ['contacts.csv', 10, undefined],
  ['Contacts.XLSX', 100_000_000, undefined],
  ['export.tsv', 10, undefined],
  ['contacts.xls', 10, words.oldWorkbook('contacts.xls')],
  ['photo.png', 10, words.wrongType('photo.png')],
  ['noextension', 10, words.wrongType('noextension')],
  ['contacts.csv', 0, words.emptyFile('contacts.csv')],
  ['contacts.csv', 120_000_000, words.tooLarge('contacts.csv', '120 MB')],
])('%s of %i bytes', (name, size, expected) => {
  expect(fileProblem({ name, size }, words)).toBe(expected)
})
