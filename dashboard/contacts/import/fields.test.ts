import { expect, it } from 'vitest'
import { namedColumns } from './fields.ts'

it('leaves out columns without a name, and later ones with the same name', () => {
  const [own, email, blank, ofErrors] = [
    { column: 'row', field: 'fld_1' },
    { column: 'email', field: 'email' },
    { column: '', field: null },
    { column: 'row', field: null },
  ] as const
  expect(namedColumns([own, email, blank, ofErrors])).toEqual([own, email])
})
