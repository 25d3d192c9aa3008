/** Forms of a line of source code, a command or structured data. Extracted text does not say which of its lines these are. */
const codeForms: readonly RegExp[] = [
  // The end of a statement, or a bracket that opens or closes a block.
  /(?:[^\s.]\s*;|[{[(]|^\s*[)\]}]+[;,]?|[^\s]\s*\{[^}]*\}[;,]?|\\)$/,
  // A declaration or a control structure, with its punctuation.
  /^\s*(?:import|from|export|const|let|var|def|class|function|fn|func|return|if|for|while|else|elif|try|except|catch|switch|case|public|private|protected|static|package|using|struct|enum|interface|type)\b.*(?:[(){};]|=|:$|['"])/,
  // An assignment, or a call alone on its line.
  /^\s*[\w$.[\]'"]+\s*(?::=|\+=|-=|=>|=)\s*\S/,
  /^\s*(?:await\s+)?[\w$]+(?:[.:]+[\w$]+)*\([^)]*\)*[;,:]?$/,
  // A comment, a preprocessor line, a decorator, an element of HTML or XML, a field of JSON.
  /^\s*(?:\/\/|\/\*|\*\/|#!|#include\b|#define\b|@\w+\(?|<!|<\/?[a-z][\w-]*(?:\s[^>]*)?\/?>)/,
  /^\s*"[^"]+"\s*:\s*(?:["\d[{-]|true|false|null)/,
  /^\s*\{.*\}[,;]?$/,
  // A command of a shell, or a statement of SQL.
  /^\s*(?:\$\s+\S|export\s+\w+=)/,
  /^\s*(?:curl|npm|npx|yarn|pip3?|git|docker|kubectl|sudo|apt|apt-get|cd|echo|python3?|node|psql|ssh|make|cargo|go)\s+[-./\w"'$@=:]+/,
  /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:TABLE|INDEX|VIEW|FUNCTION)|ALTER TABLE|FROM|WHERE|(?:LEFT |INNER )?JOIN|GROUP BY|ORDER BY|VALUES)\b/,
]

/** An item of a list, which can end with a semicolon. */
const itemForm = /^\s*(?:[-*•]|\d{1,3}[.)])\s+\S/

const isCodeLine = (line: string): boolean => !itemForm.test(line) && codeForms.some((form) => form.test(line))

/** A command that stands alone, or a statement that ends as no sentence does. */
const loneLine = /^\s*\$\s+\S|[^\s.]\s*;$|^\s*(?:curl|npm|npx|docker|git|pip3?|kubectl|sudo)\s+(?:-|https?:|[a-z]+\s+\S)|^\s*[{<[].*[}>\]]$/

/** Returns whether lines without an empty one between them are code: most of them have the form of code. */
function isCode(lines: readonly string[]): boolean {
  if (lines.some((line) => /^\s*\|.*\|\s*$/.test(line))) return false
  const [first = ''] = lines
  if (lines.length === 1) return loneLine.test(first) && isCodeLine(first)
  return lines.filter(isCodeLine).length * 2 >= lines.length
}

const isIndented = (line: string): boolean => /^(?: {2}|\t)/.test(line)

/** Returns for each line whether it is part of a block of code. Empty lines within a block are. */
export function codeLines(lines: readonly string[]): boolean[] {
  const marks = lines.map(() => false)
  const groups = groupsOf(lines)
  const ofCode = groups.map(({ from, to }) => isCode(lines.slice(from, to)))
  for (const [index, { from, to }] of groups.entries()) {
    const group = lines.slice(from, to)
    // A line or an indented group beside code is a part of it, such as an import before a function.
    if (ofCode[index] === false) {
      const follows = ofCode[index - 1] === true
      ofCode[index] =
        (follows && group.every(isIndented)) || ((follows || ofCode[index + 1] === true) && group.length === 1 && group.every(isCodeLine))
    }
    if (ofCode[index] === true) marks.fill(true, ofCode[index - 1] === true ? groups[index - 1]?.to : from, to)
  }
  return marks
}

/** Returns the stretches of lines that are not empty. */
function groupsOf(lines: readonly string[]): { from: number; to: number }[] {
  const groups: { from: number; to: number }[] = []
  for (const [index, line] of lines.entries()) {
    const last = groups.at(-1)
    if (line.trim() === '') continue
    if (last?.to === index) last.to = index + 1
    else groups.push({ from: index, to: index + 1 })
  }
  return groups
}
