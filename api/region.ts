import { countryInput, currencyInput, timeZoneInput } from './schemas.ts'

/** Where a new organization works. */
export const regionFields = {
  country: countryInput
    .optional()
    .meta({ description: 'Country of the organization (ISO 3166-1 alpha-2): phone numbers without a country code are of this country.' }),
  defaultCurrency: currencyInput.optional().meta({ description: 'Currency of proposals without one (ISO 4217). The default is USD.' }),
  timeZone: timeZoneInput.optional().meta({ description: 'Time zone of dates in proposals (IANA name). The default is UTC.' }),
}

export interface Region {
  country?: string | undefined
  defaultCurrency?: string | undefined
  timeZone?: string | undefined
}
