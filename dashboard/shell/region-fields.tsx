import { Select } from '@mantine/core'
import { countryOptions, currencyOptions, timeZoneOptions } from '../lib/code-names.ts'
import { currencyOf, presentCountry, presentTimeZone } from '../lib/region.ts'
import { useMessages } from '../messages/messages.ts'
import { regionMessages } from '../messages/region.ts'
import { useOptionsOnFocus } from './options-on-focus.ts'

/** Where an organization works. Empty text means none. */
export interface Region {
  country: string
  defaultCurrency: string
  timeZone: string
}

/** Returns what the settings of the browser suggest. */
export function presentRegion(): Region {
  const country = presentCountry() ?? ''
  return { country, defaultCurrency: currencyOf(country) ?? '', timeZone: presentTimeZone() }
}

/** Returns the fields that have a value. */
export const regionBody = (region: Region): Partial<Region> =>
  Object.fromEntries(Object.entries(region).filter(([, value]) => value !== ''))

interface RegionFieldsProps {
  values: Region
  onChange: (changes: Partial<Region>) => void
  errorOf: (path: string) => string | undefined
  /** A country that is chosen brings its currency. */
  withCurrencyOfCountry?: boolean
  readOnly?: boolean
}

/** Chooses the country, the currency and the time zone of an organization. */
export function RegionFields({ values, onChange, errorOf, withCurrencyOfCountry = false, readOnly = false }: RegionFieldsProps) {
  const messages = useMessages(regionMessages)
  const [countries, currencies, timeZones] = [useOptionsOnFocus(), useOptionsOnFocus(), useOptionsOnFocus()]
  const chooseCountry = (country: string): void => {
    const defaultCurrency = withCurrencyOfCountry ? currencyOf(country) : null
    onChange({ country, ...(defaultCurrency !== null && { defaultCurrency }) })
  }
  const orNull = (value: string): string | null => (value === '' ? null : value)
  return (
    <>
      <Select
        {...countries}
        label={messages.country}
        description={messages.countryHelp}
        data={countryOptions(orNull(values.country))}
        value={orNull(values.country)}
        onChange={(country) => chooseCountry(country ?? '')}
        error={errorOf('country')}
        searchable
        clearable
        readOnly={readOnly}
      />
      <Select
        {...currencies}
        label={messages.currency}
        description={messages.currencyHelp}
        data={currencyOptions()}
        value={orNull(values.defaultCurrency)}
        onChange={(defaultCurrency) => onChange({ defaultCurrency: defaultCurrency ?? '' })}
        error={errorOf('defaultCurrency')}
        searchable
        readOnly={readOnly}
      />
      <Select
        {...timeZones}
        label={messages.timeZone}
        data={timeZoneOptions(orNull(values.timeZone))}
        value={orNull(values.timeZone)}
        onChange={(timeZone) => onChange({ timeZone: timeZone ?? '' })}
        error={errorOf('timeZone')}
        searchable
        readOnly={readOnly}
      />
    </>
  )
}
