/**
 * Text that addresses a language model instead of a reader. Each pattern needs a verb of command and its usual object, so that
 * documents about software, rules or conversations stay usable.
 */
const commands = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,60}\b(?:instructions?|prompts?|guidelines|rules|directions|context)\b/i,
  /\b(?:new|updated|secret|hidden|system|developer) (?:instructions?|prompts?|message) ?:/i,
  /\byou are (?:now|no longer|an? (?:ai|assistant|chatbot|language model|helpful))\b/i,
  /\b(?:reveal|print|repeat|output|show|leak)\b[^.!?\n]{0,40}\b(?:system prompt|your (?:instructions|prompt|rules))\b/i,
  /\b(?:reply|respond|answer|say|write|output)\b (?:only|exactly|nothing but|always)\b[^.!?\n]{0,10}(?:with|:|["“'])/i,
  /\b(?:ai|language|chat) ?(?:models?|assistants?|bots?)\b[^.!?\n]{0,30}\b(?:must|should|shall|have to|are to|please)\b/i,
  /\b(?:do not|don't|never) (?:tell|inform|mention (?:this )?to) the (?:user|customer|reader)\b/i,
  /\btell the (?:user|customer|caller)\b/i,
  /\b(?:ignoriere?|vergiss|missachte)\b[^.!?\n]{0,60}\b(?:anweisung(?:en)?|anleitung(?:en)?|regeln|vorgaben)\b/i,
  /\b(?:ignora|olvida|descarta)\b[^.!?\n]{0,60}\b(?:instrucciones|indicaciones|reglas)\b/i,
  /\b(?:ignore[zr]?|oublie[zr]?)\b[^.!?\n]{0,60}\b(?:instructions|consignes|règles)\b/i,
  /\b(?:ignora|dimentica)\b[^.!?\n]{0,60}\b(?:istruzioni|regole)\b/i,
  /\b(?:ignore|esqueça|desconsidere)\b[^.!?\n]{0,60}\b(?:instruções|regras)\b/i,
  /(?:игнорируй|забудь|не обращай внимания на)[^.!?\n]{0,60}(?:инструкци|указани|правил)/i,
  /(?:忽略|无视|忘记)[^。！？\n]{0,20}(?:指令|指示|提示|规则)/,
  /<\|?(?:im_start|im_end|system|endoftext)\|?>|\[\/?INST\]/i,
]

/**
 * Returns the part of a passage that a language model may read as a source: the text before the first command to a model. What
 * follows a command is often its continuation. Empty if the passage begins with one.
 */
export function usableText(passage: string): string {
  const starts = commands.flatMap((command) => command.exec(passage)?.index ?? [])
  if (starts.length === 0) return passage
  const before = passage.slice(0, Math.min(...starts))
  // The sentence or line of the command goes too.
  const end = Math.max(before.lastIndexOf('\n'), ...['. ', '! ', '? ', '。', '！', '？'].map((stop) => before.lastIndexOf(stop)))
  return before.slice(0, end + 1).trim()
}
