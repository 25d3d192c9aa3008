import { readFileSync } from 'node:fs'
import { evaluationPath } from './evaluation-data.ts'

/** Tables of URLs in the evaluation data. */
function linesOf(name: string): string[] {
  const file = evaluationPath(`api/${name}`)
  return file === null ? [] : readFileSync(file, 'utf8').split('\n').filter(Boolean)
}

/** The Big List of Naughty Strings in the evaluation data. */
function published(): string[] {
  const file = evaluationPath('api/blns.json')
  return file === null ? [] : (JSON.parse(readFileSync(file, 'utf8')) as unknown[]).map(String)
}

const scripts = [
  'Ærøskøbing',
  'Łódź',
  'Đà Nẵng',
  'İstanbul ıssız',
  'Αθήνα',
  'Владивосток',
  'ירושלים',
  'القاهرة',
  'दिल्ली',
  'กรุงเทพ',
  '北京',
  '東京タワー',
  'ｆｕｌｌｗｉｄｔｈ',
  '서울',
  'ქართული',
  'ሰላም',
  'שָׁלוֹם',
  'e\u0301\u0301\u0301',
  'Z\u0351\u036b\u0343a\u0360l\u0321g\u0321o\u0361',
  '🚲',
  '👩‍👩‍👧‍👦',
  '🇩🇪🇫🇷',
  '👍🏽',
  '𝔤𝔬𝔱𝔥𝔦𝔠',
  'ß ẞ ŉ ǰ',
  'ﬁne ﬂow',
]
const invisible = [
  '\u200b',
  'a\u200bb',
  '\u00a0',
  '\u3000',
  '\ufeff',
  '\u2028',
  '\u2029',
  '\u202eabc\u202c',
  '\u2066a\u2069',
  '\u0001',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\t',
  '\r\n',
  ' ',
  '',
]
const words = [
  'null',
  'undefined',
  'true',
  'false',
  'NaN',
  'Infinity',
  '-Infinity',
  'nil',
  'None',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'CON',
  'LPT1',
  'select',
  'DROP',
]
const numbers = ['0', '-0', '1e309', '0x1F', '0b11', '1/0', '1,000.5', '9007199254740993', '-1', '.5', '00', '١٢٣', '½', '²', '1_000']
const code = [
  "'",
  '"',
  "''",
  '`',
  '\\',
  '\\\\',
  "' or '1'='1",
  "1'; drop table contact; --",
  "x' union select null--",
  '$1',
  '${7*7}',
  '{{7*7}}',
  '#{7*7}',
  '<%= 7 * 7 %>',
  '<b>bold</b>',
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  'javascript:alert(1)',
  '&lt;&amp;&#0;',
  ']]>',
  '<!--',
  '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
  '$(touch /tmp/x)',
  '`id`',
  '; ls',
  '| cat',
  '../../etc/passwd',
  '..\\..\\windows',
  '/dev/null',
  'C:\\',
  'file:///etc/passwd',
  '%s%n%x',
  '%2e%2e%2f',
  '=1+1',
  '@SUM(A1)',
  '+1',
  '*',
  '?',
  '[',
  '(',
  '(a+)+$',
  '^.*$',
  '%',
  '_',
  '&',
  '!',
  '{',
  '}',
  '{"a":1}',
  '[1,2',
  '# heading',
  '```',
  '| a | b |',
  '---',
  'a:b:c',
  'a=b&c=d',
]

/** Strings that programs often mistreat: at least 120, and the published list with EVALUATION_DATA. */
export const hostileStrings: readonly string[] = [...new Set([...scripts, ...invisible, ...words, ...numbers, ...code]), ...published()]

interface RefusedUrl {
  readonly url: string
  /** The kind of the address. */
  readonly why: string
}

const addresses: readonly RefusedUrl[] = [
  { url: 'http://127.0.0.1:9/', why: 'loopback with a port' },
  { url: 'http://127.255.255.254/', why: 'the end of the loopback network' },
  { url: 'http://127.1/', why: 'shortened loopback' },
  { url: 'http://0x7f000001/', why: 'hexadecimal loopback' },
  { url: 'http://017700000001/', why: 'octal loopback' },
  { url: 'http://0/', why: 'the unspecified address, shortened' },
  { url: 'http://localhost/', why: 'name of the loopback address' },
  { url: 'http://LOCALHOST./', why: 'absolute name in capitals' },
  { url: 'http://[0:0:0:0:0:0:0:1]/', why: 'IPv6 loopback, written out' },
  { url: 'http://[::]/', why: 'the unspecified IPv6 address' },
  { url: 'http://[::ffff:10.0.0.1]/', why: 'a private address, mapped to IPv6' },
  { url: 'http://[64:ff9b::7f00:1]/', why: 'loopback through NAT64' },
  { url: 'http://[2002:7f00:1::]/', why: 'loopback through 6to4' },
  { url: 'http://[fe80::1]/', why: 'IPv6 link-local' },
  { url: 'http://[fc00::1]/', why: 'IPv6 unique local' },
  { url: 'http://[ff02::1]/', why: 'IPv6 multicast' },
  { url: 'http://10.255.0.1/', why: 'private network of class A' },
  { url: 'http://172.31.0.1/', why: 'private network of class B' },
  { url: 'http://192.168.178.1/', why: 'private network of class C' },
  { url: 'http://169.254.169.254/latest/', why: 'metadata of a cloud' },
  { url: 'http://100.127.0.1/', why: 'carrier-grade NAT' },
  { url: 'http://198.19.0.1/', why: 'benchmark network' },
  { url: 'http://224.0.0.251/', why: 'multicast' },
  { url: 'http://240.0.0.1/', why: 'reserved network' },
  { url: 'http://255.255.255.255/', why: 'broadcast' },
  { url: 'http://user:password@127.0.0.1/', why: 'loopback after credentials' },
]

/** URLs that must not be requested. */
export const refusedUrls: readonly RefusedUrl[] = [...addresses, ...linesOf('ssrf.jsonl').map((line) => JSON.parse(line) as RefusedUrl)]

interface VideoUrl {
  readonly url: string
  /** The id of the video; null if the URL does not name one. */
  readonly id: string | null
}

const videos: readonly VideoUrl[] = [
  { url: 'https://www.youtube.com/watch?v=abcDEF-_123', id: 'abcDEF-_123' },
  { url: 'http://youtube.com/watch?list=PL1&v=abcDEF-_123#t=3', id: 'abcDEF-_123' },
  { url: 'https://m.youtube.com/watch?v=abcDEF-_123&t=1m', id: 'abcDEF-_123' },
  { url: 'https://youtu.be/abcDEF-_123?t=12', id: 'abcDEF-_123' },
  { url: 'https://www.youtube.com/shorts/abcDEF-_123', id: 'abcDEF-_123' },
  { url: 'https://www.youtube.com/live/abcDEF-_123?feature=share', id: 'abcDEF-_123' },
  { url: 'https://www.youtube.com/embed/abcDEF-_123?start=3', id: 'abcDEF-_123' },
  { url: 'https://www.youtube.com/watch?v=short', id: null },
  { url: 'https://www.youtube.com/watch', id: null },
  { url: 'https://www.youtube.com/playlist?list=PL1', id: null },
  { url: 'https://www.youtube.com/@channel', id: null },
  { url: 'https://youtube.com.example.org/watch?v=abcDEF-_123', id: null },
  { url: 'https://example.org/watch?v=abcDEF-_123', id: null },
]

export const videoUrls: readonly VideoUrl[] = [...videos, ...linesOf('youtube_urls.jsonl').map((line) => JSON.parse(line) as VideoUrl)]
