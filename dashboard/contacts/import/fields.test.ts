import { expect, it } from 'vitest'
import { namedColumns, sameColumns } from './fields.ts'

it('leaves out columns without a name, and later ones with the same name', () => {
  const [own, email, blank, ofErrors] = [
    { column: 'row', field: 'fld_1' },
    { column: 'email', field: 'email' },
    { column: '', field: null },
    { column: 'row', field: null },
  ] as const
  expect(namedColumns([own, email, blank, ofErrors])).toEqual([own, email])
})

it('finds the columns that share the name of one, without those of errors', () => {
  const phone = { column: 'Phone', field: 'phone', samples: ['1'] }
  const other = { column: 'Phone', field: 'phone', samples: ['2'] }
  const [row, ofErrors] = [
    { column: 'row', field: 'fld_1' },
    { column: 'row', field: null },
  ]
  expect([phone, row].map((column) => sameColumns([phone, row, other, ofErrors], column))).toEqual([[phone, other], [row]])
})
