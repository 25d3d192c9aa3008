/** Words in the user agents of crawlers, link previews, mail scanners, HTTP libraries and automated browsers. */
const programs =
  /bot\b|bot\/|crawl|spider|slurp|preview|scan|fetch|monitor|check|facebookexternalhit|meta-external|whatsapp|telegram|slack|discord|skype|viber|teams|linkedin|pinterest|embedly|iframely|proofpoint|barracuda|mimecast|safelinks|symantec|trendmicro|sophos|headless|phantom|puppeteer|playwright|selenium|lighthouse|curl|wget|python|go-http|java\/|okhttp|axios|node|undici|ruby|perl|php|libwww|httpclient/i

/** Returns whether a user agent is a program rather than a person's browser. A missing one is a program. */
export const isRobot = (userAgent: string | undefined): boolean => userAgent === undefined || userAgent === '' || programs.test(userAgent)
