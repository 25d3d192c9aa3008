import { countryCodes } from '@groundwork/api/countries'
import { currencyCodes } from '@groundwork/api/currencies'
import { expect, it } from 'vitest'
import { currencyOf } from './region.ts'

it('knows the currency of a country', () => {
  const known = ['DE', 'BG', 'CH', 'LI', 'GB', 'JP', 'BR', 'MX', 'CU', 'AU', 'SN', 'SV'].map(currencyOf)
  expect(known).toEqual(['EUR', 'EUR', 'CHF', 'CHF', 'GBP', 'JPY', 'BRL', 'MXN', 'CUP', 'AUD', 'XOF', 'USD'])
  expect(currencyOf('AQ')).toBeNull()
  const found = countryCodes.map(currencyOf).filter((currency) => currency !== null)
  expect(found.filter((currency) => !currencyCodes.includes(currency))).toEqual([])
})
