import type { ProposalWords } from '../words/words.ts'
import { toHtml, toText, type Block } from './blocks.ts'

export type ProposalMailKind = 'sent' | 'reminder' | 'accepted' | 'declined' | 'voided' | 'expired'

/** Content of a message about a proposal. Amounts and dates are formatted. */
export interface ProposalMailContent {
  readonly kind: ProposalMailKind
  readonly words: ProposalWords
  /** Name of the organization. */
  readonly organization: string
  /** Color of the button, `#rrggbb`. */
  readonly color: string
  /** Name of the recipient; null if unknown. */
  readonly name: string | null
  readonly title: string
  readonly number: string
  readonly total: string
  /** Null if the proposal does not expire. */
  readonly validUntil: string | null
  readonly sentOn: string
  /** Time of the change that the message is about. */
  readonly moment: string
  /** Message to the recipient, a part of the offer. */
  readonly message: string | null
  /** Number of the proposal that this one replaces; null if there is none. */
  readonly replaces: string | null
  /** Reason of declining or voiding. */
  readonly reason: string | null
  /** Link of the recipient to the page of the proposal. */
  readonly url: string
}

/** Returns a message. Text and HTML have the same content. */
export function proposalMail(content: ProposalMailContent): { subject: string; text: string; html: string } {
  const { words, title, organization, color } = content
  // A line break would end the header.
  const subject = words.mail[content.kind].subject(title, organization).replaceAll(/\s+/g, ' ')
  const blocks = blocksOf(content)
  return { subject, text: toText(blocks), html: toHtml(blocks, { language: words.language, title: subject, color }) }
}

function blocksOf(content: ProposalMailContent): Block[] {
  const { kind, words, name, organization, message, replaces, url } = content
  const { mail } = words
  const isOpen = kind === 'sent' || kind === 'reminder'
  return [
    { text: name === null ? mail.greetingWithoutName : mail.greeting(name) },
    { text: leadOf(content) },
    ...(replaces === null ? [] : [{ text: mail.replaces(replaces) }]),
    ...(kind === 'sent' && message !== null ? [{ text: message }] : []),
    { facts: factsOf(content) },
    { link: url, label: mail.open, note: mail.openLink },
    ...(isOpen ? [{ note: mail.confidential }] : []),
    { note: mail.automatic(organization) },
  ]
}

function leadOf({ kind, words: { mail }, organization, moment, sentOn }: ProposalMailContent): string {
  return mail[kind].text(organization, kind === 'reminder' ? sentOn : moment)
}

function factsOf({ kind, words, title, number, total, validUntil, reason }: ProposalMailContent): [label: string, value: string][] {
  const isOpen = kind === 'sent' || kind === 'reminder'
  return [
    [words.document.proposal, `${number}, ${title}`],
    [words.mail.total, total],
    ...(isOpen && validUntil !== null ? [[words.mail.validUntil, validUntil] satisfies [string, string]] : []),
    ...(reason === null ? [] : [[words.mail.reason, reason] satisfies [string, string]]),
  ]
}
