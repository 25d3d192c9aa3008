/**
 * Words too common in their language to tell one passage from another, folded to lower case. Question words belong to them:
 * BM25 nDCG@10 against a list without them .890 to .883 on SQuAD, .752 to .711 on documentation, but .821 to .830 on
 * Banking77. Against no list .965 to .961 in Spanish; no difference in German.
 */
const lists: Readonly<Record<string, string>> = {
  en: `a about above after again against all am an and any are as at be because been before being below between both but by can
    could did do does doing don't dont down during each few for from further had has have having he her here hers him his how i if
    in into is isn't it its just me more most my no nor not now of off on once only or other our out over own same she should so
    some such than that the their them then there these they this those through to too under until up us very was we were what
    when where which while who whom whose why will with would you your`,
  de: `aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei bin bis bist da damit dann das dass
    dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer
    eines er es etwas euch für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren
    ihrer im in indem ins ist ja jede jedem jeden jeder jedes kann kein keine können man mein meine mich mir mit muss nach nicht
    noch nun nur ob oder ohne sehr sein seine seinem seinen seiner sich sie sind so solche soll sondern sonst über um und uns unser
    unter viel vom von vor war waren warum was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder will
    wir wird wo wurde wurden zu zum zur zwar zwischen`,
  es: `a al algo algunas algunos ante antes como con contra cual cuál cuáles cuando cuándo cuánto cuántos cuántas cómo de del desde
    donde dónde durante e el él ella ellas ellos en entre era eran es esa ese eso esta está están estas este esto estos fue fueron
    ha había han hasta hay la las le les lo los más me mi mucho muchos muy nada ni no nos nosotros o os otra otras otro otros para
    pero poco por porque qué que quien quién quienes se ser si sí sin sobre son su sus también tan tanto te tiene tienen todo todos
    tu un una uno unos y ya yo`,
  fr: `à au aux avec c ce ces cet cette comme comment d dans de des du elle elles en est et été être eu eux il ils j je l la le les
    leur leurs lui m ma mais me mes moi mon n ne nos notre nous on ont ou où par pas plus pour pourquoi qu quand que quel quelle
    quelles quels qui quoi s sa sans se ses si son sont sur t ta te tes toi ton tu un une vos votre vous y`,
  it: `a ad agli ai al alla alle allo anche c che chi ci come con cosa cui d da dal dalla dalle dei degli del della delle dello di
    dove e è ed era erano gli ha hanno i il in io l la le lei lo loro lui ma mi mio ne negli nei nel nella nelle noi non o per
    perché più qual quale quali quando quanti quanto quella quelle quelli quello questa queste questi questo se sei si sono su sua
    sue sugli sui sul sulla suo suoi ti tra tu un una uno vi voi`,
  pt: `a à ao aos as às até com como da das de dela dele deles do dos e é ela elas ele eles em entre era eram essa esse esta está
    estão este eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós o onde os ou para pela
    pelas pelo pelos por porque qual quais quando quanto quantos que quem são se sem ser seu seus só sua suas também te tem têm um
    uma você`,
  nl: `aan al als bij dan dat de deze die dit door een en er had heb hebben heeft het hij hoe hoeveel hun ik in is je kan maar me
    meer met mijn naar niet nog nu of om onder ons ook op over te tegen toen tot uit van veel voor waar waarom wanneer waren was wat
    we welk welke wel werd werden wie wij wordt worden zal ze zich zij zijn zo zou`,
  sv: `alla att av blev bli de dem den denna det detta dig din du där en ett eller för från ha hade han hans har henne hon honom hur
    i icke in inte jag kan man med men mig min mot mycket ni nu när något och om oss på sig sin sina som så till under upp ut vad
    var vara varför vem vi vid vilka vilken vilket är`,
  ru: `а без бы был была были было быть в вам вас во вот все всё вы где да для до его ее её если есть еще ещё же за и из или им их к
    как какая какие какой каких когда кто куда ли мне может мы на над не него нее неё нет ни них но ну о об он она они оно от
    очень по под почему при с сколько со так также такой там то тоже только том ты у уже чего чем что чтобы эта эти это этой этом
    этот я`,
}

export const stopWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(lists).map(([language, words]) => [language, new Set(words.split(/\s+/).map((word) => word.replaceAll("'", '')))]),
)
