import { describe, expect, it } from 'vitest'
import { hostileStrings } from '../../testing/hostile-values.ts'
import { wordsOf } from '../words/words.ts'
import { proposalMail, type ProposalMailContent, type ProposalMailKind } from './template.ts'

const kinds: ProposalMailKind[] = ['sent', 'reminder', 'accepted', 'declined', 'voided', 'expired', 'question', 'answer', 'countersign']

const question = { askedBy: 'Kim Moss', question: 'Are helmets\nincluded?', answer: 'Yes.' }

const content = (changes: Partial<ProposalMailContent>): ProposalMailContent => ({
  kind: 'sent',
  words: wordsOf('en'),
  organization: 'Rental Desk',
  color: '#1f5f8b',
  name: 'Kim Moss',
  title: 'Three days of bicycles',
  number: 'P-1',
  total: '€1,260.00',
  validUntil: 'June 1, 2026',
  sentOn: 'May 25, 2026',
  moment: 'May 28, 2026 at 09:00 UTC',
  message: 'Two lines\nof text',
  replaces: null,
  question: null,
  reason: null,
  url: 'https://example.com/p/secret',
  ...changes,
})

/** Returns the visible text of HTML: without tags, and with the characters that entities stand for. */
const visible = (html: string): string =>
  html
    .replace(/[\s\S]*<body[^>]*>/, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
const words = (text: string): string[] =>
  text
    .replaceAll(':', ' ')
    .split(/\s+/)
    .filter((word) => word !== '')

describe('a message about a proposal', () => {
  it('in plain text has name, lead, message, facts and link', () => {
    const { subject, text } = proposalMail(content({}))
    expect(subject).toBe('Proposal from Rental Desk: Three days of bicycles')
    expect(text).toBe(`Hello Kim Moss,

Rental Desk has sent you a proposal. You can read, accept or decline it online.

Two lines
of text

Proposal: P-1, Three days of bicycles
Total: €1,260.00
Valid until: June 1, 2026

Open proposal:
https://example.com/p/secret

This link is personal. Forward it only to people who may accept the proposal on your behalf.

This email was sent on behalf of Rental Desk.
`)
  })

  it.each(['en', 'de', 'fr', 'es'].flatMap((language) => kinds.map((kind): [string, ProposalMailKind] => [language, kind])))(
    'in %s of the kind %s has the same content as text and HTML',
    (language, kind) => {
      const labels = wordsOf(language)
      const { text, html } = proposalMail(content({ kind, words: labels, reason: 'The dates have changed', replaces: 'P-7', question }))
      expect(html).toContain(`<html lang="${language}">`)
      // HTML repeats the address of the link below the button, with a note.
      const withoutNote = visible(html).replace(labels.mail.openLink, '')
      expect(words(withoutNote)).toEqual(words(text))
    },
  )

  it('without a name and an expiry leaves both out', () => {
    const { text } = proposalMail(content({ name: null, validUntil: null }))
    expect(text).toMatch(/^Hello,\n/)
    expect(text).not.toContain('Valid until')
  })

  it('shows hostile strings as text in every place', () => {
    for (const hostile of hostileStrings) {
      const places = {
        organization: hostile,
        name: hostile,
        title: hostile,
        message: hostile,
        reason: hostile,
        question: { askedBy: hostile, question: hostile, answer: hostile },
      }
      const { subject, html } = proposalMail(content(places))
      expect([hostile, subject]).toEqual([hostile, expect.not.stringMatching(/[\r\n]/)])
      const tags = [...html.matchAll(/<\/?([a-z!]+)/gi)].map(([, tag]) => tag)
      const expected = ['!doctype', 'html', 'head', 'meta', 'title', 'body', 'div', 'p', 'strong', 'bdi', 'br', 'a']
      expect([hostile, new Set(tags)]).toEqual([hostile, new Set(expected)])
      const urls = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, url]) => url)
      expect([hostile, urls]).toEqual([hostile, ['https://example.com/p/secret']])
    }
  })
})
