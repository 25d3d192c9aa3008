import { countryCodes } from '@groundwork/api/countries'
import { currencyCodes } from '@groundwork/api/currencies'

/** Countries whose currency has another code than theirs, by currency. */
const countriesOf: Record<string, string> = {
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA XK YT',
  USD: 'AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI',
  GBP: 'GB GG IM JE',
  AUD: 'AU CC CX HM KI NF NR TV',
  CHF: 'CH LI',
  DKK: 'DK FO GL',
  NOK: 'BV NO SJ',
  NZD: 'CK NU NZ PN TK',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XAF: 'CF CG CM GA GQ TD',
  XCD: 'AG AI DM GD KN LC MS VC',
  XPF: 'NC PF WF',
  MAD: 'EH MA',
  ILS: 'IL PS',
  CUP: 'CU',
}

/**
 * Returns the usual currency of a country; null if it is not known. The code of most currencies begins with that of their
 * country: Brazil has BRL, Japan JPY.
 */
export function currencyOf(country: string): string | null {
  const shared = Object.keys(countriesOf).find((currency) => countriesOf[currency]?.split(' ').includes(country))
  return shared ?? currencyCodes.find((code) => code.startsWith(country)) ?? null
}

/** Returns the time zone of the browser. */
export const presentTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the country in which the browser seems to be, by its time zone, else by its language; null if neither tells. */
export function presentCountry(): string | null {
  const zone = presentTimeZone()
  const byZone = countryCodes.filter((country) => zonesOf(country).includes(zone))
  if (byZone.length === 1) return byZone[0] ?? null
  const region = new Intl.Locale(navigator.language).region ?? ''
  return countryCodes.includes(region) ? region : null
}

/** Some browsers do not know the time zones of a country. */
function zonesOf(country: string): readonly string[] {
  const locale: Intl.Locale & { getTimeZones?: () => string[] | undefined } = new Intl.Locale(`und-${country}`)
  return locale.getTimeZones?.() ?? []
}
