import type { GeneratedContact } from './generated-contacts.ts'
import { randomOf, type Random } from './random.ts'

export interface ContactQuery {
  readonly kind: keyof typeof kinds
  readonly q: string
  readonly contact: GeneratedContact
}

type Write = (contact: GeneratedContact, random: Random) => string | undefined

const isShort = ({ firstName, lastName }: GeneratedContact): boolean => [...firstName].length < 4 || [...lastName].length < 4

/** How people write what they look for. */
const kinds = {
  'exact name': ({ firstName, lastName }) => `${firstName} ${lastName}`,
  'swapped with a comma': ({ firstName, lastName }) => `${lastName}, ${firstName}`,
  'upper case': ({ firstName, lastName }) => `${lastName} ${firstName}`.toUpperCase(),
  'without accents': ({ firstName, lastName, script }) => {
    const plain = `${firstName} ${lastName}`.normalize('NFKD').replaceAll(/[\u0300-\u036f]/g, '')
    return script === 'latin' && plain !== `${firstName} ${lastName}` ? plain : undefined
  },
  'without a space': ({ firstName, lastName, script }) =>
    script === 'han' || script === 'kana' || script === 'hangul' ? `${lastName}${firstName}` : undefined,
  'one typing error': (contact, random) => {
    if (isShort(contact)) return undefined
    return random.chance(0.5)
      ? `${withError(contact.firstName, random)} ${contact.lastName}`
      : `${contact.firstName} ${withError(contact.lastName, random)}`
  },
  'email address': ({ email }) => email,
  'number of another country': ({ phone }) => `00${phone.slice(1)}`,
  'national number': ({ phone }) => nationalOf(phone),
  'last digits': ({ phone }) => `${phone.slice(-7, -4)} ${phone.slice(-4)}`,
  'Latin spelling': ({ latin }, random) => (latin.length === 0 ? undefined : random.of(latin).join(' ')),
  'Latin spelling, swapped': ({ latin }, random) => (latin.length === 0 ? undefined : random.of(latin).toReversed().join(', ')),
} satisfies Record<string, Write>

function nationalOf(phone: string): string {
  const area = ['49', '44', '33', '39', '91', '81', '82', '86', '1', '7'].find((code) => phone.startsWith(`+${code}`)) ?? ''
  const national = phone.slice(1 + area.length)
  const trunk = area === '1' || area === '39' ? '' : area === '7' ? '8' : '0'
  return `${trunk}${national.slice(0, 3)} ${national.slice(3, 6)}-${national.slice(6)}`
}

/** One letter is left out, doubled, replaced or swapped with the next; never the first one. */
function withError(word: string, random: Random): string {
  const letters = [...word.normalize('NFC')]
  const at = 1 + random.below(letters.length - 2)
  const [letter = '', next = ''] = [letters[at], letters[at + 1]]
  const other = random.of(letters)
  switch (letter === next || other === letter ? 0 : random.below(4)) {
    case 0:
      letters.splice(at, 1)
      break
    case 1:
      letters.splice(at, 0, letter)
      break
    case 2:
      letters[at] = other
      break
    default:
      letters.splice(at, 2, next, letter)
  }
  return letters.join('')
}

/** Returns as many queries for contacts of the set, of all kinds and scripts in turn. */
export function contactQueries(contacts: readonly GeneratedContact[], count: number, seed = 2): ContactQuery[] {
  const random = randomOf(seed)
  const queries: ContactQuery[] = []
  const all = Object.entries(kinds) as [ContactQuery['kind'], Write][]
  while (queries.length < count) {
    const [kind, write] = all[queries.length % all.length] ?? random.of(all)
    const contact = random.of(contacts)
    const q = write(contact, random)
    if (q !== undefined) queries.push({ kind, q, contact })
  }
  return queries
}

/** Returns whether a found contact is as right as the one that was looked for: namesakes cannot be told apart. */
export function isWanted(
  found: Pick<GeneratedContact, 'firstName' | 'lastName' | 'email' | 'phone'>,
  { kind, contact }: ContactQuery,
): boolean {
  if (kind === 'email address') return found.email === contact.email
  if (kind === 'number of another country') return found.phone === contact.phone
  if (kind === 'national number') return found.phone.endsWith(nationalOf(contact.phone).replaceAll(/\D/g, '').replace(/^0/, '').slice(-8))
  if (kind === 'last digits') return found.phone.endsWith(contact.phone.slice(-7))
  return found.firstName === contact.firstName && found.lastName === contact.lastName
}
