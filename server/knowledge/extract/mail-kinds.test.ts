import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { outlookItem } from '../../testing/outlook-item.ts'
import { der, octetString, signedData, withoutLength } from '../../testing/signed-data.ts'
import type { ExtractedDocument } from './document.ts'
import { parseDocument } from './parse.ts'

const read = (content: string | Uint8Array, fileName = 'upload'): Promise<ExtractedDocument> =>
  parseDocument({ bytes: typeof content === 'string' ? Buffer.from(content) : content, fileName })

const blocksOf = ({ blocks, text }: ExtractedDocument): unknown[] => blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)])

const pgp = ['-----BEGIN PGP MESSAGE-----', '', 'hQEMA1+CIPHERTEXT/abcdefgh', '=abcd', '-----END PGP MESSAGE-----'].join('\n')
/** The beginning of enveloped CMS data. */
const enveloped = Buffer.concat([Buffer.from('3080', 'hex'), Buffer.from('06092a864886f70d010703', 'hex'), Buffer.from('a080CIPHERTEXT')])

function mail(subject: string, parts: readonly { type: string; body: string; more?: string }[], type = 'multipart/mixed'): string {
  return [
    'From: Front Desk <desk@example.com>',
    'To: yard@example.com',
    'Date: Mon, 5 Jan 2026 09:30:00 +0000',
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    `Content-Type: ${type}; boundary=B`,
    '',
    ...parts.flatMap((part) => ['--B', `Content-Type: ${part.type}`, ...(part.more === undefined ? [] : [part.more]), '', part.body]),
    '--B--',
    '',
  ].join('\n')
}

const plain = (body: string) => ({ type: 'text/plain', body })

describe('the text of a message', () => {
  it('has the quotation marks and the euro sign of Windows-1252', async () => {
    const body = 'It’s “open” – the deposit is €5.'
    const eightBit = iconv.encode(mail('Deposit', [{ type: 'text/plain; charset=windows-1252', body }]), 'windows-1252')
    expect((await read(eightBit, 'm.eml')).text).toBe(body)
    const quoted = {
      type: 'text/html; charset="Windows-1252"',
      more: 'Content-Transfer-Encoding: quoted-printable',
      body: '<p>It=92s =80 5</p>',
    }
    expect((await read(mail('Deposit', [quoted]), 'm.eml')).text).toBe('It’s € 5')
  })

  it.each(['', '; charset=us-ascii'])('is in a likely encoding if its own says nothing: %j', async (charset) => {
    const [body, subject] = ['Стоимость проката велосипеда тысяча рублей в день.', 'Прокат велосипедов']
    const message = mail(subject, [{ type: `text/plain${charset}`, body }])
    for (const encoding of ['windows-1251', 'koi8-r', 'utf-8']) {
      const { text, title } = await read(iconv.encode(message, encoding), 'm.eml')
      expect([text, title]).toEqual([body, expect.stringContaining(subject)])
    }
  })
})

describe('an encrypted message', () => {
  const smime = {
    type: 'application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
    more: 'Content-Transfer-Encoding: base64',
    body: enveloped.toString('base64'),
  }
  it.each([
    [
      'by PGP/MIME',
      mail(
        'Secret',
        [
          { type: 'application/pgp-encrypted', body: 'Version: 1' },
          { type: 'application/octet-stream; name=encrypted.asc', body: pgp },
        ],
        'multipart/encrypted',
      ),
    ],
    ['by S/MIME', mail('Secret', [smime])],
    ['by inline PGP', mail('Secret', [plain(pgp)])],
    ['as a file', pgp],
    ['as a CMS file', enveloped],
    [
      'of Outlook',
      outlookItem({
        subject: 'Secret',
        messageClass: 'IPM.Note.SMIME',
        attachments: [{ name: 'smime.p7m', mediaType: '', bytes: enveloped }],
      }),
    ],
  ])('%s is refused', async (_, content) => {
    await expect(read(content)).rejects.toMatchObject({ code: 'encrypted_file' })
  })

  it('is left out of a message with other text, and so are signatures', async () => {
    const document = await read(
      mail('Keys', [
        plain(`The keys are in the box.\n\n${pgp}\n\nSee you.`),
        smime,
        {
          type: 'application/pgp-signature; name=signature.asc',
          body: '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----',
        },
      ]),
    )
    expect(blocksOf(document)).toEqual([
      ['paragraph', 'The keys are in the box.'],
      ['paragraph', 'See you.'],
    ])
    expect(document.warnings).toEqual(['An encrypted part of the message is left out.'])
  })

  it('keeps the text that inline PGP only signs', async () => {
    const signed = `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nWe open at nine.\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----`
    const document = await read(mail('Hours', [plain(signed)]))
    expect(document).toMatchObject({ text: 'We open at nine.', warnings: [] })
  })
})

describe('a signed message', () => {
  const entity = 'Content-Type: text/plain; charset=utf-8\r\n\r\nWe open at nine.\r\n'
  const smime = (bytes: Buffer) => ({
    type: 'application/pkcs7-mime; smime-type=signed-data; name=smime.p7m',
    more: 'Content-Transfer-Encoding: base64',
    body: bytes.toString('base64'),
  })

  it.each([
    ['with lengths', signedData(der, octetString(entity))],
    [
      'in pieces without lengths',
      signedData(withoutLength, withoutLength(0x24, octetString(entity.slice(0, 50)), octetString(entity.slice(50)))),
    ],
  ])('has the text inside its signature, %s', async (_, bytes) => {
    const [part] = [smime(bytes)]
    const whole = mail('Hours', [part]).replace(
      /Content-Type: multipart[\s\S]*$/,
      `Content-Type: ${part.type}\n${part.more}\n\n${part.body}\n`,
    )
    expect(await read(whole)).toMatchObject({ text: 'We open at nine.', warnings: [], mediaType: 'message/rfc822' })
    expect(await read(mail('Hours', [plain('See below.'), part]))).toMatchObject({ text: 'See below.\n\nWe open at nine.', warnings: [] })
    const outlook = { subject: 'Hours', messageClass: 'IPM.Note.SMIME', attachments: [{ name: 'smime.p7m', mediaType: '', bytes }] }
    expect(await read(outlookItem(outlook))).toMatchObject({ text: 'We open at nine.', warnings: [] })
  })

  it('is refused if the content of the signature is encrypted', async () => {
    const secret = ['Content-Type: application/pkcs7-mime', 'Content-Transfer-Encoding: base64', '', enveloped.toString('base64')]
    await expect(read(mail('Secret', [smime(signedData(der, octetString(secret.join('\r\n'))))]))).rejects.toMatchObject({
      code: 'encrypted_file',
    })
  })

  it('can be a signed document, as a file and as an attachment', async () => {
    const bytes = signedData(der, octetString('part,price\nhitch,40\nramp,20\n'))
    const table = '| part | price |\n| --- | --- |\n| hitch | 40 |\n| ramp | 20 |'
    expect(await read(bytes, 'prices.csv.p7m')).toMatchObject({ text: table, mediaType: 'application/pkcs7-mime' })
    const attached = { ...smime(bytes), type: 'application/pkcs7-mime; name=prices.csv.p7m' }
    expect(blocksOf(await read(mail('Prices', [plain('See below.'), attached])))).toEqual([
      ['paragraph', 'See below.'],
      ['heading', 'Attachment: prices.csv.p7m'],
      ['table', table],
    ])
  })

  it('is left out if it is damaged, and has no text without its content', async () => {
    const bytes = signedData(der, octetString(entity))
    const damaged = bytes.subarray(0, bytes.length - 20)
    expect((await read(mail('Hours', [plain('See below.'), smime(damaged)]))).warnings).toEqual([
      expect.stringMatching(/^The attachment smime\.p7m is left out: The signed message is damaged/),
    ])
    await expect(read(damaged)).rejects.toMatchObject({ code: 'corrupt_file' })
    await expect(read(signedData(der))).rejects.toMatchObject({ code: 'empty_content' })
  })
})

describe('a mailbox', () => {
  const separator = 'From desk@example.com Mon Jan  5 09:30:00 2026\n'
  const message = (subject: string, body: string) => mail(subject, [plain(body)])

  it('has each message with its subject as a heading, and its sender, recipients and date', async () => {
    const csv = {
      type: 'text/csv; name=prices.csv',
      more: 'Content-Disposition: attachment; filename=prices.csv',
      body: 'part,price\nhitch,40\nramp,20',
    }
    const messages = [
      message('Keys', 'They are in the box.\n\n>From here it goes on.\n\nFrom 9 to 5 we are open.'),
      mail('Prices', [plain('See below.'), csv]),
      message('Secret', pgp),
    ]
    const document = await read(messages.map((each) => `${separator}${each}\n`).join(''), 'archive.mbox')
    expect(document).toMatchObject({
      mediaType: 'application/mbox',
      title: 'archive',
      warnings: ['Encrypted messages that are left out: 1.'],
    })
    expect(blocksOf(document)).toEqual([
      ['heading', 'Keys'],
      ['paragraph', 'From: Front Desk <desk@example.com>\nTo: yard@example.com\nDate: 2026-01-05 09:30 UTC'],
      ['paragraph', 'They are in the box.'],
      ['paragraph', 'From here it goes on.'],
      ['paragraph', 'From 9 to 5 we are open.'],
      ['heading', 'Prices'],
      ['paragraph', 'From: Front Desk <desk@example.com>\nTo: yard@example.com\nDate: 2026-01-05 09:30 UTC'],
      ['paragraph', 'See below.'],
      ['heading', 'Attachment: prices.csv'],
      ['table', '| part | price |\n| --- | --- |\n| hitch | 40 |\n| ramp | 20 |'],
    ])
    expect(document.blocks.map(({ level }) => level).filter(Boolean)).toEqual([1, 1, 3])
  })

  it('is detected by its separators, with Windows line ends too', async () => {
    const two = `${separator}${message('One', 'First.')}\n${separator}${message('Two', 'Second.')}`
    expect((await read(two)).mediaType).toBe('application/mbox')
    expect((await read(two.replaceAll('\n', '\r\n'))).blocks.filter(({ kind }) => kind === 'heading')).toHaveLength(2)
    expect((await read(`${separator}${message('One', 'First.')}`)).mediaType).toBe('message/rfc822')
    expect((await read('From here to there in 2026 we went.\nAnd on.')).mediaType).toBe('text/plain')
  })
})

describe('an Outlook message', () => {
  it('has its subject, sender, recipients and date as title, its body and its attachments', async () => {
    const inner = outlookItem({ subject: 'Keys', body: 'They are in the box.', from: { name: 'Yard', address: 'yard@example.com' } })
    const bytes = outlookItem({
      subject: 'Return of the träiler',
      body: 'It comes back on Monday.\r\n\r\nBring the keys.',
      from: { name: 'Front Desk', address: 'desk@example.com' },
      to: [{ name: 'Yard', address: 'yard@example.com' }],
      time: new Date('2026-01-05T08:30:00Z'),
      attachments: [
        { name: 'prices.csv', mediaType: 'text/csv', bytes: Buffer.from('part,price\nhitch,40\nramp,20\n') },
        { name: 'keys.msg', mediaType: 'application/vnd.ms-outlook', bytes: inner },
        { name: 'a.zip', mediaType: 'application/zip', bytes: Buffer.from('PK\u0003\u0004') },
      ],
    })
    const document = await read(bytes)
    expect(document).toMatchObject({
      mediaType: 'application/vnd.ms-outlook',
      title: 'Return of the träiler (from Front Desk <desk@example.com>, to Yard, 2026-01-05 08:30 UTC)',
      warnings: [expect.stringMatching(/^The attachment a\.zip is left out/)],
    })
    expect(blocksOf(document)).toEqual([
      ['paragraph', 'It comes back on Monday.'],
      ['paragraph', 'Bring the keys.'],
      ['heading', 'Attachment: prices.csv'],
      ['table', '| part | price |\n| --- | --- |\n| hitch | 40 |\n| ramp | 20 |'],
      ['heading', 'Attachment: keys.msg: Keys (from Yard <yard@example.com>)'],
      ['paragraph', 'They are in the box.'],
    ])
  })

  it('is refused if it is damaged', async () => {
    const bytes = outlookItem({ subject: 'Keys', body: 'word '.repeat(2_000) })
    await expect(read(bytes.subarray(0, 1_500))).rejects.toMatchObject({ code: expect.stringMatching(/corrupt_file|unsupported_type/) })
  })
})
