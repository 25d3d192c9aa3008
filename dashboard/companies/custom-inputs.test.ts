import type { Company, CustomField } from '@groundwork/api'
import { expect, test } from 'vitest'
import { formatNumber } from '../lib/custom-fields.ts'
import { customBody } from './custom-inputs.tsx'

const field = { id: 'fld_1', name: 'Size', type: 'number' } as CustomField
const company = { customFields: { fld_1: 1234.5 } } as unknown as Company

test('sends numbers as they are typed in the format of the browser, and only changed ones', () => {
  expect(customBody([field], { fld_1: formatNumber(1234.5) }, company)).toEqual({})
  expect(customBody([field], { fld_1: formatNumber(-2.25) }, company)).toEqual({ fld_1: -2.25 })
  expect(customBody([field], { fld_1: '' }, company)).toEqual({ fld_1: null })
  expect(customBody([field], { fld_1: 'large' }, company)).toEqual({ fld_1: 'large' })
})
