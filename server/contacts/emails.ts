import { domainToASCII } from 'node:url'
import { AppError, refusedOr } from '../lib/errors.ts'

/**
 * Returns the address in the form in which contacts are compared: lower case, and the domain in ASCII (RFC 5891), which every mail
 * server accepts. The local part can have letters of all scripts (RFC 6531); it stays as it is otherwise.
 * @throws AppError `validation_error`
 */
export function normalizeEmail(sent: string, field: string): string {
  const at = sent.lastIndexOf('@')
  const [local, domain] = [sent.slice(0, at).normalize('NFC').toLowerCase(), asciiDomain(sent.slice(at + 1))]
  const isValid = at > 0 && localPart.test(local) && domainName.test(domain)
  const address = `${local}@${domain}`
  if (isValid && Buffer.byteLength(local) <= 64 && Buffer.byteLength(address) <= 254) return address
  throw new AppError('validation_error', `${field} must be an email address`, { field })
}

/** Returns the address that a request means, in the form in which contacts have it. Other text, which no contact has, stays as it is. */
export function storedEmail(sent: string): string {
  const address = refusedOr(() => normalizeEmail(sent, 'email'))
  return address instanceof AppError ? sent.toLowerCase() : address
}

/** RFC 5322, dot-atom, and RFC 6532. */
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const domainName = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/** The function decodes percent signs, which no domain has. */
const asciiDomain = (domain: string): string => (/^[\p{L}\p{M}\p{N}.。．｡-]+$/u.test(domain) ? domainToASCII(domain.normalize('NFC')) : '')

/** Domains of providers whose names are mistyped often. */
const providerDomains = new Set(
  [
    'gmail.com googlemail.com icloud.com protonmail.com protonmail.ch t-online.de orange.fr wanadoo.fr wanadoo.es comcast.net verizon.net',
    'yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.es yahoo.it yahoo.ca yahoo.co.in yahoo.com.br yahoo.co.jp libero.it yandex.ru yandex.com',
    'hotmail.com hotmail.co.uk hotmail.fr hotmail.de hotmail.es hotmail.it outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.jp',
  ].flatMap((line) => line.split(' ')),
)
const providerNames = new Set([...providerDomains].map((domain) => domain.split('.', 1)[0] ?? ''))
/** Ends of domains that do not exist, with those that are meant. */
const mistypedEnds = new Map(['con', 'cmo', 'ocm', 'comm', 'coom', 'vom', 'xom'].map((end) => [end, 'com']))
/** Ends that exist, but not those of the providers. */
const mistypedProviderEnds = new Map([...mistypedEnds, ...['co', 'cm', 'om'].map((end) => [end, 'com'] as const)])

/** Returns the address that was probably meant, `ada@gmail.com` for `ada@gmial.com`; null if it looks right. */
export function suggestEmail(address: string): string | null {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const [name = '', ...ends] = domain.split('.')
  const end = ends.join('.')
  const provider = providerNames.has(name) ? name : [...providerNames].find((each) => isMistyped(name, each))
  const meant = `${provider ?? name}.${(provider === undefined ? mistypedEnds : mistypedProviderEnds).get(end) ?? end}`
  const isLikely = meant !== domain && (provider === undefined || providerDomains.has(meant))
  return isLikely ? `${address.slice(0, at)}@${meant}` : null
}

/** Returns whether a letter after the first one was left out, added or replaced, or two neighbours were swapped: "email" is not "gmail". */
function isMistyped(typed: string, meant: string): boolean {
  let same = 0
  while (same < meant.length && typed[same] === meant[same]) same += 1
  const [rest, meantRest] = [typed.slice(same), meant.slice(same)]
  const swapped = `${rest.charAt(1)}${rest.charAt(0)}${rest.slice(2)}`
  return (
    same > 0 &&
    [rest.slice(1) === meantRest, rest === meantRest.slice(1), rest.slice(1) === meantRest.slice(1), swapped === meantRest].includes(true)
  )
}
