const caption =
  /^(?:figure|fig\.|table|listing|algorithm|abb(?:ildung|\.)|tab(?:elle|\.)|figura|tabla|tableau|рис(?:унок|\.)|табл(?:ица|\.)|图|圖|表|図)\s*\d/iu
const contents =
  /^(?:table of )?contents:?$|^(?:inhalt(?:sverzeichnis|e)?|table des matières|sommaire|índice|contenido|indice|sommario|содержание|оглавление|目录|目錄|目次|차례|목차)$/iu

export function isCaption(text: string): boolean {
  return caption.test(text.trim())
}

/** Returns whether a heading is the one above a table of contents. */
export function isContents(text: string): boolean {
  return contents.test(text.trim())
}

/** Names that programs give: their own, numbered documents, slides and sheets, placeholders. */
const byProgram =
  /^\W*(?:microsoft (?:word|powerpoint|excel|publisher)\b.*|(?:powerpoint|word|excel)[ -]?(?:presentation|präsentation|document)|untitled.*|unbenannt.*|ohne titel.*|sans titre.*|sin título.*|anonymous|unspecified|unknown|none|null|(?:title|titel|titre|document|dokument|slide|folie|diapositiva|presentation|präsentation|print|layout|scan|new document|book|mappe|sheet|tabelle|feuil|hoja|foglio|planilha) ?\d*)\W*$/i
const fileName =
  /^\S+\.(?:docx?|dotx?|xlsx?|pptx?|pdf|indd|qxd|qxp|tex|dvi|ps|eps|odt|ods|odp|rtf|txt|html?|pages|pmd|fm|p65|cdr|ai|pub|md)$|\.(?:docx?|pptx?|xlsx?|indd|qxd|dvi|rtf|pmd)\b|^[\w-]*_[\w-]*$|^\w:\\|^\/\w+\//i

/** Returns whether a title names a document, and not a file, a program, a placeholder, a table of contents or a figure. */
export function isTitle(title: string): boolean {
  const letters = title.match(/\p{L}/gu)?.length ?? 0
  return letters >= (/\p{Script=Han}/u.test(title) ? 2 : 3) && isMarkedTitle(title)
}

/** Returns the same for a title that is marked as one, rather than guessed: it can be as short as "HR". */
export const isMarkedTitle = (title: string): boolean =>
  /\p{L}/u.test(title) && !byProgram.test(title) && !fileName.test(title) && !isContents(title) && !isCaption(title)
