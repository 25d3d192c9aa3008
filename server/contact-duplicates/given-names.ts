/** Given names with their short forms and spellings, one person's name per line. A name can be in several lines. */
const sameNames = `
alexander alex aleksandr alexandre alejandro sasha sascha xander alessandro
alexandra alex alexa sandra sasha sascha aleksandra
andreas andi andy andre andrew anders andrei andrey
andrew andy drew
anthony antony tony anton antonio
anna ann anne anja anya annie hanna
katharina kathrin katrin kathi katja kate kathy catherine katherine katharine ekaterina katerina kat kathleen
christian chris kristian christiaan
christina christine chris kristina tina kirsten christel
christopher christoph chris kristof christophe kit
daniel dan danny daniil
daniela dani daniella
david dave davide
deborah debora debbie debby
dorothea dorothee dora
edward ed eddie ted edouard eduard
elisabeth elizabeth liz lisa beth betty elise elsbeth sissi lisbeth eliza lizzy elspeth
ferdinand ferdi
francis frank franz francesco francisco francois paco
frederick fred friedrich fritz freddy frederik federico fedor
gabriele gabi gaby gabriela
george georg jorge giorgio yuri juri schorsch
gerhard gerd gert
gregory greg gregor grigori
guillermo william wilhelm bill billy will willy willi liam guillaume
gunther gunter guenther guenter
hans johann johannes hannes john jon jean jan ivan juan giovanni jonny johnny jack
henry heinrich henrik enrique harry hank heiner heinz
jacob jakob james jim jimmy jamie jacques giacomo jaime
jennifer jenny jen
jessica jess jessie
joachim jochen achim
john jon johnny jack
jonathan jon jonny jonas
joseph josef joe jose giuseppe sepp joey jo
joshua josh
julia julie juliane
jurgen juergen
karl carl carlos carlo charles charlie charly chuck karol
kenneth ken kenny
lawrence laurence lorenz larry laurent lorenzo
leonard leo leonhard len lenny leonardo
louis ludwig luis luigi lewis lou
magdalena lena magda
manfred manni
marc mark marcus markus marco marko
margaret margarete margarethe grete maggie peggy greta margarita meg
maria marie mary mia mariya
martin marty martino
matthew matthias mathias matt mateo matteo matthieu matias mattias
max maximilian maxim maxime massimiliano
michael mike michel michele miguel mikhail mick michi mickey mihail
monika monica moni
nicholas nikolaus nick nico niko nikolai klaus claus nicolas nicola nikolas nils
oliver olli olivier ollie
patrick pat paddy
patricia pat patty tricia trish
paul paulo paolo pablo pavel pawel
peter pete pedro pierre pietro piotr petr pyotr
philip phillip philipp phil philippe felipe filip
rebecca rebekka becky becca
richard rich rick dick ricky ricardo riccardo
robert rob bob bobby bert roberto robbie
roland rolf
rudolf rudi rudolph
samuel sam sammy
samantha sam
sebastian basti bastian sebastien
stefan stephan steffen stephen steven steve stefano etienne esteban
stefanie stephanie steffi stef stephie
susanne susan sue susi suzanne susanna suzie
theodor theo theodore ted fyodor
theresa teresa therese tess resi
thomas tom tommy tomas tommaso
timothy tim timo timotheus
ulrich uli ulli
ulrike uli rike
ursula uschi
valentin valentino
victoria viktoria vicky
vincent vince vincenzo vinzenz
walter walt walther
werner wernher
wolfgang wolf wolfi
zachary zach zack
mohammed mohamed muhammad mohammad mohamad mohd mehmet
ahmed ahmad ahmet
yusuf youssef joseph yousef jusuf
fatima fatma
ali aly
dmitri dmitry dmitriy dima
sergei sergey serge sergej
natalia natalie natasha nataliya natalya
tatiana tanja tanya tatjana
olga olya
wladimir vladimir volodymyr vova
`

/** Frequent given names that look like other ones. Two of them are different people. */
const otherNames = `
adrian adriana aisha albert alberto alena alice alicia alina alma amelie amy ana andrea angela angelika angelina anita anke annette annika
anton antonia antonio arne arthur astrid axel barbara ben bernd bernhard bianca bjorn brigitte bruno carla carmen carolin caroline cecilia
celine charlotte clara clemens cora cornelia cornelius dagmar dana debora dennis denise diana dieter dirk dominik doris eileen ela elena
elias elina elisa elke ella ellen elsa emil emilia emily emma emmanuel eric erik erika erwin esra esther eva evelyn fabian fabienne felicia
felix fiona finn florian frieda gabriel gerda gisela gloria gudrun hana hannah hanno harald hassan hasan heike heiko helen helena helene helga
helmut herbert hermann hilde holger horst hubert hugo ibrahim ida igor ina ines ingo inga inge ingrid irene irina iris irma isabel isabella
isabelle jana janina janine jannik jan jannis jasmin jason jens joana joanna joan jolanda joel johanna jonas jorg jose judith julian juliana
julius june jutta kai kaja karen karim karin karina karla karolina kasper kerstin kevin kira klara konrad kurt lara lars laura lea leah leila
leon leonie leyla lia lilli lilly lina linda linus lisa lotta luca lucas lucia lucie luis luisa lukas luke luna lutz lydia maja malte manuel
manuela mara marcel marcela maren marek margit marian mariana marina mario marion marisa marius marlene marlon marta martha martina marvin
mason mateo maya melanie melina melissa merle mia michaela michelle mila milan mira miriam moritz nadia nadine nadja nele nina noah noel nora
norbert norman oscar oskar otto paula pauline petra pia rafael rainer ralf ramona raphael rashid raul regina reinhard renate rene rita roger
roman ronald rosa rosi ruben ruth sabine sabrina sara sarah saskia selina selma simon simona simone silvia silke silvio sofia sonja sophia
sophie sven svenja sybille tamara tanja tara thea tilman tina tobias toni tony torben torsten uta ute uwe valentina valeria vanessa vera
verena veronika viktor viola volker werner wiebke xaver yasmin yvonne zoe omar amir amira hamid hamida samir samira karima nabil nabila
kenji kenta yuki yuka hiroshi hiroko akira akiko wei wen min ming jing jin ying yun yan li lin ling hui hua mei minho jisoo jiho raj raja
rajesh ravi priya anil anita sunil sunita deepak deepa vijay ajay sanjay
`

const lines = sameNames
  .trim()
  .split('\n')
  .map((line) => line.split(' '))

const linesOf = new Map<string, Set<number>>()
for (const [number, names] of lines.entries()) {
  for (const name of names) linesOf.set(name, (linesOf.get(name) ?? new Set()).add(number))
}
const known = new Set([...linesOf.keys(), ...otherNames.trim().split(/\s+/)])

/** Returns whether both can be the name of one person: "Bob" and "Robert". */
export function isSameGivenName(name: string, other: string): boolean {
  const [numbers, others] = [linesOf.get(name), linesOf.get(other)]
  return numbers !== undefined && others !== undefined && [...numbers].some((number) => others.has(number))
}

export const isKnownGivenName = (name: string): boolean => known.has(name)
