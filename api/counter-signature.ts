import type { Proposal } from './proposals.ts'

type Sentence = (total: string) => string

const english: Sentence = (total) => `I sign this proposal for the organization, for a total of ${total}.`
const sentences = new Map<string, Sentence>([
  ['de', (total) => `Ich unterzeichne dieses Angebot für die Organisation über insgesamt ${total}.`],
  ['fr', (total) => `Je signe ce devis au nom de l’organisation, pour un montant total de ${total}.`],
  ['es', (total) => `Firmo este presupuesto en nombre de la organización, por un importe total de ${total}.`],
])

/**
 * Returns the sentence that an organization agrees to when it signs a proposal. The certificate contains it. Its language is that of
 * the first signer, or of the organization if the first signer has none. There are sentences in English, German, French and Spanish;
 * all other languages have the English one.
 * @param language BCP 47 tag of the organization's language
 */
export function counterSignatureWording(
  { recipients, totalAmount, currency }: Pick<Proposal, 'recipients' | 'totalAmount' | 'currency'>,
  language: string,
): string {
  const tag = recipients.find(({ role }) => role === 'signer')?.language ?? language
  const sentence = sentences.get(tag.split('-', 1)[0]?.toLowerCase() ?? '') ?? english
  return sentence(`${totalAmount} ${currency}`)
}
