import { withoutDirectionControls } from '../../lib/direction-controls.ts'
import type { ProposalWords } from '../words/words.ts'
import { toHtml, toText, type Block } from './blocks.ts'

export type ProposalMailKind = 'sent' | 'reminder' | 'accepted' | 'declined' | 'voided' | 'expired' | 'question' | 'answer' | 'countersign'

/** Content of a message about a proposal. Amounts and dates are formatted. */
export interface ProposalMailContent {
  readonly kind: ProposalMailKind
  readonly words: ProposalWords
  /** Whether the recipient only receives a copy. */
  readonly isCopy?: boolean
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
  /** The question that the message is about, with its answer and the name of the recipient who asked; null in other messages. */
  readonly question: { readonly askedBy: string | null; readonly question: string; readonly answer: string | null } | null
  /** Reason of declining or voiding. */
  readonly reason: string | null
  /** Link of the recipient to the page of the proposal. */
  readonly url: string
}

/** Returns a message. Text and HTML have the same content. */
export function proposalMail(content: ProposalMailContent): { subject: string; text: string; html: string } {
  const { words, title, organization, color } = content
  // A line break would end the header.
  const subject = withoutDirectionControls(words.mail[content.kind].subject(title, organization)).replaceAll(/\s+/g, ' ')
  const blocks = blocksOf(content)
  return { subject, text: toText(blocks), html: toHtml(blocks, { language: words.language, title: subject, color }) }
}

function blocksOf(content: ProposalMailContent): Block[] {
  const { kind, words, name, organization, message, replaces, question, url, isCopy = false } = content
  const { mail } = words
  const isOpen = kind === 'sent' || kind === 'reminder'
  return [
    { text: name === null ? mail.greetingWithoutName : mail.greeting(name) },
    { text: leadOf(content) },
    ...(replaces === null ? [] : [{ text: mail.replaces(replaces) }]),
    ...(kind === 'sent' && message !== null ? [{ text: message }] : []),
    ...(question === null ? [] : questionBlocks(question, mail)),
    { facts: factsOf(content) },
    { link: url, label: labelOf(kind, mail), note: mail.openLink },
    ...(isOpen && !isCopy ? [{ note: mail.confidential }] : []),
    { note: mail.automatic(organization) },
  ]
}

function labelOf(kind: ProposalMailKind, { open, openQuestion, openCountersign }: ProposalWords['mail']): string {
  if (kind === 'question') return openQuestion
  return kind === 'countersign' ? openCountersign : open
}

function questionBlocks(
  { askedBy, question, answer }: NonNullable<ProposalMailContent['question']>,
  { askedQuestion, askedByLabel, givenAnswer }: ProposalWords['mail'],
): Block[] {
  return [
    ...(askedBy === null ? [] : [{ facts: [[askedByLabel, askedBy]] } satisfies Block]),
    { text: `${askedQuestion}:\n${question}` },
    ...(answer === null ? [] : [{ text: `${givenAnswer}:\n${answer}` }]),
  ]
}

function leadOf({ kind, words: { mail }, isCopy = false, organization, moment, sentOn }: ProposalMailContent): string {
  if (kind === 'sent' && isCopy) return mail.sentCopy(organization)
  return mail[kind].text(organization, kind === 'reminder' ? sentOn : moment)
}

function factsOf({ kind, words, title, number, total, validUntil, reason }: ProposalMailContent): [label: string, value: string][] {
  const isOpen = kind === 'sent' || kind === 'reminder'
  const isAboutQuestion = kind === 'question' || kind === 'answer'
  return [
    [words.document.proposal, `${number}, ${title}`],
    ...(isAboutQuestion ? [] : [[words.mail.total, total] satisfies [string, string]]),
    ...(isOpen && validUntil !== null ? [[words.mail.validUntil, validUntil] satisfies [string, string]] : []),
    ...(reason === null ? [] : [[words.mail.reason, reason] satisfies [string, string]]),
  ]
}
