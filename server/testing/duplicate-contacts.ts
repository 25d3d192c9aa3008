import { generatedContacts, type GeneratedContact } from './generated-contacts.ts'
import { randomOf, type Random } from './random.ts'

/** A contact of a set with duplicates. Contacts with the same person are duplicates. */
export interface PlantedContact {
  readonly person: number
  /** What the contact is among the others, for reports: its circle, or the change by which a duplicate came about. */
  readonly kind: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly phone: string | null
  /** Place of the company in the list of companies. */
  readonly company: number | null
  readonly address: { readonly street: string; readonly city: string; readonly postalCode: string } | null
}

const frequentSurnames =
  'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Bauer Klein Wolf Schröder Neumann Krüger Smith Johnson Williams Brown Jones Garcia Miller Davis Martin Bernard Dubois Rossi Ferrari García López Novák Nowak Jensen Nielsen Kowalski Nguyen'.split(
    ' ',
  )
const streets =
  'Hauptstraße Bahnhofstraße Gartenweg Lindenallee Schulstraße Bergstraße Church Lane,High Street,Mill Road,Rue de la Paix,Via Roma,Calle Mayor,Kirchplatz,Am Markt,Park Avenue,Elm Drive'
    .replaceAll(/ (?=[BGLSC][a-z]+(?:straße|weg|allee| ))/g, ',')
    .split(',')
const cities = ['Berlin', 'Köln', 'Leeds', 'Lyon', 'Torino', 'Bilbao', 'Graz', 'Bern', 'Odense', 'Boston'] as const
const providers = ['gmail.com', 'googlemail.com', 'gmx.de', 'web.de', 'outlook.com', 'yahoo.com', 'icloud.com', 't-online.de'] as const
const shortForms: Readonly<Record<string, readonly string[]>> = {
  Robert: ['Bob', 'Rob'],
  William: ['Bill', 'Will'],
  Michael: ['Mike'],
  Jennifer: ['Jenny', 'Jen'],
  Thomas: ['Tom'],
  Elizabeth: ['Liz', 'Beth'],
  Joseph: ['Joe'],
  Richard: ['Rick'],
  Deborah: ['Debbie'],
  Christopher: ['Chris'],
  Daniel: ['Dan'],
  Matthew: ['Matt'],
  Patricia: ['Pat', 'Trish'],
  Margaret: ['Peggy', 'Maggie'],
  Susan: ['Sue'],
  Anthony: ['Tony'],
  David: ['Dave'],
}

type Draft = { -readonly [Field in keyof PlantedContact]: PlantedContact[Field] } & { latin: GeneratedContact['latin'] }

/**
 * Returns contacts in random order, of which about one in twenty is a duplicate of another one: colleagues with one switchboard,
 * families with one address and number, people with the same name, and others. The same seed gives the same contacts.
 */
export function plantedContacts(count: number, seed = 7): { contacts: PlantedContact[]; companies: number } {
  const random = randomOf(seed)
  const duplicates = Math.round(count / 20)
  const companies = Math.max(3, Math.round(count / 12))
  const source = generatedContacts(count * 2, seed)
  const originals: Draft[] = []
  const offices = new Set<number | null>()
  const next = (): Draft => newPerson(random, source.next().value as GeneratedContact, originals.length)
  while (originals.length < count - duplicates) {
    const kind = random.below(100)
    if (kind < 40) originals.push(atCompany(random, next(), companies))
    else if (kind < 65) originals.push(atHome(random, next()))
    else if (kind < 75) for (const each of family(random, next, originals.length)) originals.push(each)
    else if (kind < 90 && originals.length > 0) originals.push(namesake(random, next(), random.of(originals), companies))
    else {
      const each = sparse(random, next(), companies)
      if (each.kind === 'office' && offices.has(each.company)) continue
      if (each.kind === 'office') offices.add(each.company)
      originals.push(each)
    }
  }
  const all = originals.slice(0, count - duplicates)
  // The ids of persons are their places.
  for (const [place, draft] of all.entries()) draft.person = place
  const wanted = all.length + duplicates
  const taken = new Set<number>()
  const copied = originals.slice(0, count - duplicates)
  while (all.length < wanted) {
    const original = random.of(copied)
    if (taken.has(original.person) && random.chance(0.8)) continue
    const copy = duplicateOf(random, original)
    if (copy === undefined) continue
    taken.add(original.person)
    all.splice(random.below(all.length), 0, copy)
  }
  return { contacts: all.map(withoutLatin), companies }
}

const withoutLatin = ({ person, kind, firstName, lastName, email, phone, company, address }: Draft): PlantedContact => ({
  person,
  kind,
  firstName,
  lastName,
  email,
  phone,
  company,
  address,
})

function newPerson(random: Random, { firstName, lastName, latin, phone, script }: GeneratedContact, person: number): Draft {
  const surname = script === 'latin' && random.chance(0.4) ? random.of(frequentSurnames) : lastName
  return { person, kind: '', firstName, lastName: surname, latin, phone, email: null, company: null, address: null }
}

const ascii = (text: string): string =>
  text.replaceAll('ü', 'ue').replaceAll('ö', 'oe').replaceAll('ä', 'ae').normalize('NFKD').replaceAll(/[^a-zA-Z0-9]/g, '').toLowerCase() // prettier-ignore

function localPart(random: Random, { firstName, lastName, latin }: Draft): string {
  const [first, last] = (latin[0] ?? [firstName ?? '', lastName ?? '']).map(ascii)
  const number = random.chance(0.4) ? String(random.below(99)) : ''
  return random.of([`${first}.${last}${number}`, `${first?.slice(0, 1)}.${last}${number}`, `${first}${last}${number}`, `${last}${number}`])
}

/** Large companies have many of the contacts. */
const someCompany = (random: Random, companies: number): number => Math.floor(companies * (random.below(10_000) / 10_000) ** 2.5)
const switchboard = (company: number): string => `+4930${String(20_000_000 + company)}`

function atCompany(random: Random, person: Draft, companies: number): Draft {
  const company = someCompany(random, companies)
  const email = random.chance(0.75)
    ? `${localPart(random, person)}@firm${company}.example`
    : random.chance(0.3)
      ? `info@firm${company}.example`
      : null
  const phone = random.chance(0.5) ? switchboard(company) : random.chance(0.6) ? person.phone : null
  return { ...person, kind: 'colleague', company: random.chance(0.9) ? company : null, email: email ?? null, phone }
}

const privateEmail = (random: Random, person: Draft): string => `${localPart(random, person)}${random.below(1000)}@${random.of(providers)}`

const newAddress = (random: Random) => ({
  street: `${random.of(streets)} ${1 + random.below(180)}`,
  city: random.of(cities),
  postalCode: String(10_000 + random.below(89_999)),
})

function atHome(random: Random, person: Draft): Draft {
  const email = random.chance(0.8) ? privateEmail(random, person) : null
  return { ...person, kind: 'private', email, phone: email === null || random.chance(0.7) ? person.phone : null, address: random.chance(0.6) ? newAddress(random) : null } // prettier-ignore
}

function family(random: Random, next: () => Draft, first: number): Draft[] {
  const parent = next()
  const [address, landline, mailbox] = [newAddress(random), parent.phone, random.chance(0.25) ? `familie.${ascii(parent.latin[0]?.[1] ?? parent.lastName ?? '')}${random.below(999)}@gmx.de` : null] // prettier-ignore
  const names = new Set<string | null>()
  return Array.from({ length: 2 + random.below(4) }, (_, place): Draft => {
    let member = parent
    while (names.has(member.firstName) || (member.latin.length === 0) !== (parent.latin.length === 0)) member = next()
    names.add(member.firstName)
    const latin = member.latin.map(([given], at): readonly [string, string] => [given, parent.latin[Math.min(at, parent.latin.length - 1)]?.[1] ?? '']) // prettier-ignore
    const relative = { ...member, person: first + place, kind: 'family', lastName: parent.lastName, latin }
    const phone = random.chance(0.6) ? landline : member.phone
    return { ...relative, phone, address, email: mailbox ?? (random.chance(0.6) ? privateEmail(random, relative) : null) }
  })
}

function namesake(random: Random, person: Draft, { firstName, lastName, latin }: Draft, companies: number): Draft {
  const named = { ...person, firstName, lastName, latin }
  return {
    ...(random.chance(0.5) ? atHome(random, named) : { ...atCompany(random, named, companies), phone: person.phone }),
    kind: 'namesake',
  }
}

function sparse(random: Random, person: Draft, companies: number): Draft {
  const company = someCompany(random, companies)
  return random.of([
    { ...person, kind: 'name and company', company, phone: null },
    { ...person, kind: 'only a number', firstName: null, lastName: null },
    {
      ...person,
      kind: 'office',
      firstName: null,
      lastName: null,
      company,
      email: `info@firm${company}.example`,
      phone: switchboard(company),
    },
  ])
}

/** Returns the contact as somebody would enter it again; undefined if nothing would tell that it is the same person. */
function duplicateOf(random: Random, original: Draft): Draft | undefined {
  const { firstName, lastName, email, phone, company, latin } = original
  if (firstName === null || lastName === null) return undefined
  const isOwnEmail = email !== null && !email.startsWith('info@') && !email.startsWith('familie.')
  const hasLink = isOwnEmail || (phone !== null && original.kind !== 'family')
  const changes: Record<string, () => Partial<Draft> | undefined> = {
    'same again': () => ({}),
    'tag in the address': () => (isOwnEmail && email !== null ? { email: email.replace('@', '+crm@'), phone: null } : undefined),
    'dots in Gmail': () => {
      if (email === null || !/@(?:gmail|googlemail)\.com$/.test(email)) return undefined
      const [name = '', domain] = email.split('@')
      return { email: `${name.slice(0, 3)}.${name.slice(3)}@${domain === 'gmail.com' ? 'googlemail.com' : 'gmail.com'}`, phone: null }
    },
    'typing error in the surname': () => (hasLink ? { lastName: typo(random, lastName) } : undefined),
    'typing error in the first name': () => (hasLink && firstName.length > 3 ? { firstName: typo(random, firstName) } : undefined),
    'swapped names': () => (hasLink ? { firstName: lastName, lastName: firstName } : undefined),
    'short form': () => (hasLink && shortForms[firstName] !== undefined ? { firstName: random.of(shortForms[firstName]) } : undefined),
    initial: () => (hasLink && latin.length === 0 ? { firstName: `${firstName.slice(0, 1)}.` } : undefined),
    'other script': () => {
      const spelled = latin.length === 0 ? undefined : random.of(latin)
      return hasLink && spelled !== undefined ? { firstName: spelled[0], lastName: spelled[1] } : undefined
    },
    'without accents': () =>
      hasLink && /[üöäéáøå]/.test(lastName) ? { lastName: lastName.replaceAll('ü', 'ue').replaceAll('ö', 'oe').replaceAll('ä', 'ae') } : undefined, // prettier-ignore
    'capital letters': () => (hasLink ? { firstName: firstName.toUpperCase(), lastName: lastName.toUpperCase() } : undefined),
    'other address, same number': () => (phone !== null ? { email: privateEmail(random, original) } : undefined),
    'other number, same address': () => (isOwnEmail ? { phone: `+49171${1_000_000 + random.below(8_999_999)}` } : undefined),
    'name and company': () => (company !== null ? { email: null, phone: null, address: null } : undefined),
    'name and place': () => (original.address !== null ? { email: null, phone: null } : undefined),
    'address alone': () => (isOwnEmail ? { firstName: null, lastName: null, phone: null, address: null, company: null } : undefined),
    'other surname': () => (isOwnEmail ? { lastName: random.of(frequentSurnames), phone: null } : undefined),
    'at another company': () => (isOwnEmail && company !== null ? { company: null } : undefined),
  }
  const kind = random.of(Object.keys(changes))
  const changed = changes[kind]?.()
  return changed === undefined ? undefined : { ...original, ...changed, kind }
}

const neighbours: Readonly<Record<string, string>> = {
  a: 's',
  e: 'r',
  i: 'o',
  o: 'p',
  n: 'm',
  r: 't',
  s: 'd',
  t: 'z',
  l: 'k',
  u: 'i',
  m: 'n',
}

function typo(random: Random, word: string): string {
  const at = 1 + random.below(Math.max(1, word.length - 2))
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)]
  return random.of([
    `${before}${after}`,
    `${before}${letter}${letter}${after}`,
    `${before}${after.charAt(0)}${letter}${after.slice(1)}`,
    `${before}${neighbours[letter.toLowerCase()] ?? 'x'}${after}`,
  ])
}
