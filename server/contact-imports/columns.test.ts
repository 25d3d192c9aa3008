import { describe, expect, it } from 'vitest'
import { addressGroups } from './address-columns.ts'
import { guessFields } from './guess.ts'
import { labelColumns } from './label-columns.ts'
import { parseRow } from './parse-row.ts'

const named = (headers: string[], fields: (string | null)[]) => headers.map((column, index) => ({ column, field: fields[index] ?? null }))

/** Returns the values of a row; its fields are guessed unless they are given. */
function rowOf(headers: string, cells: string, { fields = guessFields(headers.split(','), []), clearsBlanks = false } = {}) {
  const mapping = named(headers.split(','), fields)
  const options = {
    labelColumns: labelColumns(mapping),
    addressGroups: addressGroups(mapping),
    customFields: new Map(),
    country: undefined,
  }
  return parseRow(cells.split(','), { ...options, fields, clearsBlanks })
}

describe('the columns of a file', () => {
  it('mean a job title by Title only if no column is called Job Title', () => {
    expect(rowOf('Title,Last Name,Job Title', 'Dr.,Lovelace,Analyst')).toEqual({ lastName: 'Lovelace', jobTitle: 'Analyst' })
    expect(rowOf('Title,Last Name,Job Title', 'Dr.,Lovelace,')).toEqual({ lastName: 'Lovelace' })
    expect(rowOf('Title,Last Name', 'Analyst,Lovelace')).toEqual({ lastName: 'Lovelace', jobTitle: 'Analyst' })
  })

  it('mean custom fields by their ids, and by names that no other field has', () => {
    const custom = ['Email', 'Size', 'Title'].map((name, index) => ({ id: `fld_${index}`, name }))
    expect(guessFields(['Email', 'Size', 'Title', 'fld_0'], custom)).toEqual(['email', 'fld_1', 'jobTitle', 'fld_0'])
    expect(guessFields(['Title', 'Job Title', 'id', 'External ID'], custom)).toEqual(['fld_2', 'jobTitle', null, 'externalId'])
  })

  it('have the labels of Outlook', () => {
    const headers = 'E-mail Address,E-mail Type,E-mail Display Name,E-mail 2 Address,E-mail 2 Type'
    const { emails } = rowOf(headers, 'a@example.com,work,Ada,b@example.com,home') as { emails: object[] }
    expect(emails).toMatchObject([{ label: 'work' }, { label: 'home' }])
    expect(rowOf('Phone Type,Phone Number', 'desk,+442079460018')).toMatchObject({ phones: [{ label: 'desk' }] })
  })
})

describe('the address of a row', () => {
  const outlook = [
    'Business Street,Business City,Business State,Business Postal Code,Business Country/Region',
    'Home Street,Home City,Home State,Home Postal Code,Home Country/Region',
    'Other City',
  ].join(',')

  it('comes from the first group of columns with a value', () => {
    const home = { street: '2 Hill', city: 'Leeds', region: 'Yorkshire', postalCode: 'LS1', country: 'GB' }
    expect(rowOf(outlook, ',,,,,2 Hill,Leeds,Yorkshire,LS1,United Kingdom,York')).toEqual({ address: home })
    expect(rowOf(outlook, '1 Pier,Kiel,,,,2 Hill,Leeds,Yorkshire,LS1,no country,')).toEqual({ address: { street: '1 Pier', city: 'Kiel' } })
    expect(rowOf(outlook, ',,,,,,,,,,York')).toEqual({ address: { city: 'York' } })
    expect(rowOf('Mailing City,Mailing Zip,City,Country', ',,Kiel,DE')).toEqual({ address: { city: 'Kiel', country: 'DE' } })
    expect(rowOf('Address 1 - City,Address 2 - City,Address 2 - Country', ',Kiel,DE')).toEqual({ address: { city: 'Kiel', country: 'DE' } })
  })

  it('loses the parts that its group does not have if blanks clear', () => {
    const none = { street: null, city: null, region: null, postalCode: null, country: null }
    const kiel = { ...none, street: '1 Pier', city: 'Kiel' }
    expect(rowOf(outlook, '1 Pier,Kiel,,,,2 Hill,Leeds,,,GB,', { clearsBlanks: true })).toEqual({ address: kiel })
    expect(rowOf(outlook, ',,,,,,,,,,', { clearsBlanks: true })).toEqual({ address: none })
  })

  it('comes from all columns if only some have a group, or none', () => {
    expect(rowOf('Home Address,City,Zip', '1 Pier,Kiel,24103')).toEqual({
      address: { street: '1 Pier', city: 'Kiel', postalCode: '24103' },
    })
    const fields = ['street', 'street', 'city']
    expect(rowOf('Line A,Line B,Place', ',1 Pier,Kiel', { fields })).toEqual({ address: { street: '1 Pier', city: 'Kiel' } })
  })
})
