import type { Contact } from '@groundwork/api'
import { expect, test } from 'vitest'
import { comparedFields } from './fields.ts'
import { mergeMessages } from './messages.ts'

const empty = { emails: [], phones: [], tags: [], customFields: {} }
const contact = (values: object): Contact => ({ ...empty, ...values }) as unknown as Contact

test('compares fields with a value, and offers a choice where the values differ', () => {
  const own = contact({ firstName: 'Ada', email: null, phone: '+1', jobTitle: null, tags: ['vip'], customFields: { fld_1: 's' } })
  const other = contact({
    firstName: 'Ada',
    email: 'a@example.com',
    phone: '+2',
    jobTitle: 'Buyer',
    tags: ['vip', 'fair'],
    customFields: { fld_1: 'l', fld_2: 1 },
  })
  const fields = [{ id: 'fld_1', name: 'Size' }] as never
  expect(comparedFields(own, other, fields, mergeMessages.en).map(({ name, label, kind }) => [name, label, kind])).toEqual([
    ['firstName', 'First name', 'same'],
    ['phone', 'Main phone', 'choice'],
    ['jobTitle', 'Job title', 'choice'],
    ['tags', 'Tags', 'both'],
    ['customFields.fld_1', 'Size', 'choice'],
    ['customFields.fld_2', 'Archived custom field', 'choice'],
  ])
})
