import { describe, expect, it } from 'vitest'
import { isYouTube, videoIdOf, watchUrl, watchUrlAt } from './address.ts'
import { videoUrls } from '../../testing/hostile-values.ts'

const id = 'Qx7-r_04bZk'

describe('videoIdOf', () => {
  it.each([
    `https://www.youtube.com/watch?v=${id}`,
    `http://youtube.com/watch?feature=share&v=${id}&t=12#here`,
    `HTTPS://M.YouTube.com/watch/?v=${id}&list=PL1`,
    `https://music.youtube.com/watch?v=${id}`,
    `https://youtu.be/${id}?si=abc`,
    `https://www.youtube-nocookie.com/embed/${id}?rel=0`,
    `https://www.youtube.com/shorts/${id}/`,
    `https://www.youtube.com/live/${id}?feature=share`,
    `https://www.youtube.com/v/${id}`,
    `youtu.be/${id}`,
    `www.youtube.com/watch?v=${id}`,
  ])('%s', (address) => expect(videoIdOf(address)).toBe(id))

  it.each([
    '',
    'https://www.youtube.com/',
    'https://www.youtube.com/watch',
    'https://www.youtube.com/watch?v=',
    `https://www.youtube.com/watch?v=${id}x`,
    'https://www.youtube.com/watch?v=Qx7%2Fr_04bZk',
    'https://www.youtube.com/playlist?list=PL1',
    'https://www.youtube.com/@channel',
    `https://www.youtube.com/channel/${id}`,
    `https://youtu.be/a/${id}`,
    `https://youtube.com.example.org/watch?v=${id}`,
    `https://youtube.com:8443/watch?v=${id}`,
    `https://someone@www.youtube.com/watch?v=${id}`,
    `ftp://www.youtube.com/watch?v=${id}`,
    `javascript:https://www.youtube.com/watch?v=${id}`,
    `https://example.com/?u=https://www.youtube.com/watch?v=${id}`,
    'http://[',
  ])('none in %s', (address) => expect(videoIdOf(address)).toBeNull())

  it('accepts any id format for a service other than YouTube', () => {
    expect(videoIdOf('https://www.youtube.com/watch?v=recording-1', true)).toBe('recording-1')
    expect(videoIdOf('https://www.youtube.com/watch?v=recording-12')).toBeNull()
    expect(videoIdOf('https://www.youtube.com/watch?v=short', true)).toBeNull()
    expect([isYouTube('https://www.youtube.com'), isYouTube('http://127.0.0.1:4610')]).toEqual([true, false])
  })
})

it('cites a second with the URL of the video', () => {
  expect(watchUrlAt(watchUrl(id), 83)).toBe(`https://www.youtube.com/watch?v=${id}&t=83s`)
  expect(watchUrlAt(watchUrl(id), null)).toBe(`https://www.youtube.com/watch?v=${id}`)
})

it.each(videoUrls)('finds the id in $url', ({ url, id: expected }) =>
  expect([videoIdOf(url), videoIdOf(url, true)]).toEqual([expected, expected]),
)
