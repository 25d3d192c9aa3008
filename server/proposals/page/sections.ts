import type { Proposal, ProposalSection } from '@groundwork/api'
import { parseMarkdown } from '../../lib/markdown.ts'
import type { Formats } from './formats.ts'
import { foreign, html, type Html } from './html.ts'
import { richText } from './rich-text.ts'

/**
 * Returns the sections of a proposal.
 * @param secret of the link, from which files are loaded
 * @param offer the lines and the totals; they follow the sections unless a section is their place
 */
export function sections(
  { sections: all }: Proposal,
  { formats, secret, offer }: { formats: Formats; secret: string; offer: Html },
): Html[] {
  const shown = all.map((section) => (section.type === 'items' ? offer : sectionHtml(section, formats, `/p/${secret}/files`)))
  return all.some(({ type }) => type === 'items') ? shown : [...shown, offer]
}

function sectionHtml(section: Exclude<ProposalSection, { type: 'items' }>, { words, number }: Formats, files: string): Html {
  switch (section.type) {
    case 'text':
      return richText(parseMarkdown(section.text))
    case 'terms':
      return html`<h2>${words.document.terms}</h2>
        ${richText(parseMarkdown(section.text))}`
    case 'image': {
      const { sha256, width, height, alt } = section
      return html`<p><img src="${files}/${sha256}" width="${width}" height="${height}" alt="${alt}" loading="lazy" /></p>`
    }
    default: {
      const megabytes = number((Math.ceil(section.sizeBytes / 100_000) / 10).toString())
      return html`<p class="attachment">
        ${words.document.attachment}: <a href="${files}/${section.sha256}">${foreign(section.name)}</a> (PDF, ${megabytes} MB)
      </p>`
    }
  }
}
