import { countryCodes } from '@groundwork/api/countries'
import { currencyCodes } from '@groundwork/api/currencies'
import { afterEach, expect, it, vi } from 'vitest'
import { countriesOfArea, currencyOf, presentCountry, zonesOf } from './region.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('knows the currency of a country', () => {
  const known = ['DE', 'BG', 'CH', 'LI', 'GB', 'JP', 'BR', 'MX', 'CU', 'AU', 'SN', 'SV'].map(currencyOf)
  expect(known).toEqual(['EUR', 'EUR', 'CHF', 'CHF', 'GBP', 'JPY', 'BRL', 'MXN', 'CUP', 'AUD', 'XOF', 'USD'])
  expect(currencyOf('AQ')).toBeNull()
  const found = countryCodes.map(currencyOf).filter((currency) => currency !== null)
  expect(found.filter((currency) => !currencyCodes.includes(currency))).toEqual([])
})

it('asks for the time zones of every country that has zones in an area', () => {
  const missing = countryCodes.flatMap((country) =>
    zonesOf(country)
      .map((zone) => zone.split('/')[0] ?? '')
      .filter((area) => countriesOfArea[area]?.split(' ').includes(country) !== true)
      .map((area) => `${area} ${country}`),
  )
  expect(missing).toEqual([])
})

it.each([
  ['Europe/Berlin', 'en-US', 'DE'],
  ['Europe/Berlin', 'de-DE', 'DE'],
  ['Europe/Istanbul', 'en-GB', 'TR'],
  ['America/Sao_Paulo', 'pt', 'BR'],
  ['UTC', 'fr-CA', 'CA'],
  ['UTC', 'fr', null],
  ['UTC', 'en-001', null],
])('finds the country of time zone %s and language %s: %s', (timeZone, language, country) => {
  vi.stubGlobal('navigator', { language })
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ timeZone } as Intl.ResolvedDateTimeFormatOptions)
  expect(presentCountry()).toBe(country)
})
