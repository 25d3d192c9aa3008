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

/**
 * Countries with time zones of an area, which is the first part of a zone’s name. A browser takes about half a millisecond to list
 * the zones of a country, so only these are asked.
 */
export const countriesOfArea: Readonly<Record<string, string>> = {
  Africa:
    'AO BF BI BJ BW CD CF CG CI CM DJ DZ EG EH ER ES ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  America:
    'AG AI AR AW BB BL BO BQ BR BS BZ CA CL CO CR CU CW DM DO EC GD GF GL GP GT GY HN HT JM KN KY LC MF MQ MS MX NI PA PE PM PR PY SR SV SX TC TT US UY VC VE VG VI',
  Antarctica: 'AQ AU',
  Arctic: 'SJ',
  Asia: 'AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MY NP OM PH PK PS QA RU SA SG SY TH TJ TL TM TR TW UZ VN YE',
  Atlantic: 'BM CV ES FK FO GS IS PT SH',
  Australia: 'AU',
  Europe:
    'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FR GB GG GI GR HR HU IE IM IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SK SM TR UA VA',
  Indian: 'CC CX IO KM MG MU MV RE SC TF YT',
  Pacific: 'AS CK CL EC FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM US VU WF WS',
}

/** Returns the country in which the browser seems to be, by its time zone, else by its language; null if neither tells. */
export function presentCountry(): string | null {
  const zone = presentTimeZone()
  const region = new Intl.Locale(navigator.language).region ?? ''
  const byLanguage = countryCodes.includes(region) ? region : null
  if (byLanguage !== null && zonesOf(byLanguage).includes(zone)) return byLanguage
  const inArea = countriesOfArea[zone.split('/')[0] ?? '']?.split(' ') ?? []
  const byZone = inArea.filter((country) => zonesOf(country).includes(zone))
  return byZone.length === 1 ? (byZone[0] ?? null) : byLanguage
}

/** Returns the time zones of a country. Some browsers do not know them, and older ones have them as a property. */
export function zonesOf(country: string): readonly string[] {
  const locale: Intl.Locale & { getTimeZones?: () => string[] | undefined; timeZones?: string[] } = new Intl.Locale(`und-${country}`)
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}
