/**
 * PDFs of prose, code and formulas without any table, as a person sees them: evaluation documents, and manuals of Debian packages
 * under the names that they have there.
 */
const withoutTables = new Set([
  'code_and_formula.pdf',
  'multi_page.pdf',
  'multi-column-2p.pdf',
  'olmocr-openstax_caculus_pg_273.pdf',
  'R-admin.pdf',
  'R-lang.pdf',
  'bash.pdf',
  'bashref.pdf',
  'fontconfig-user.pdf',
  'libtasn1.pdf',
  'nettle.pdf',
  'policy.pdf',
  'valgrind_manual.pdf',
])

/** @param path of a file, of which the name counts */
export function isWithoutTables(path: string): boolean {
  return withoutTables.has(path.split('/').at(-1) ?? '')
}
