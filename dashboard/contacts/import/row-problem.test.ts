import { expect, test } from 'vitest'
import { rowProblem } from './row-problem.ts'

const unmatched = 'No contact matches this row. To create it, choose “Create new contacts and update existing ones”.'

test.each([
  ['email', 'nobody is not an email address', 'Email', 'Email: Enter a valid email address, such as name@example.com.'],
  ['firstName', 'must have at most 120 characters', 'First name', 'First name: Use no more than 120 characters.'],
  ['tags', 'must be at most 50 tags', 'Tags', 'Tags: Add no more than 50 entries.'],
  ['email', 'row 3 has the same email', 'Email', 'An earlier row describes the same contact. Remove one of the two rows.'],
  ['email', 'There is no such contact.', 'Email', unmatched],
  ['email', 'there is no such contact', 'Email', unmatched],
  ['', 'the row repeats the header', '', 'This row repeats the header row. Remove it.'],
  [
    '',
    'has 4 cells, but the header has 3.',
    '',
    'This row has more cells than the header row. Put a cell that contains the separator in quotation marks.',
  ],
  ['customFields.fld_1', 'ten is not a value of type number', 'Size', 'Size: This value does not match the field type.'],
  ['', 'a new reason', '', 'This value is not valid. Correct it and try again.'],
])('a problem of %s, “%s”, is told in the words of the dashboard', (field, message, label, shown) =>
  expect(rowProblem(field, message, label)).toBe(shown),
)
