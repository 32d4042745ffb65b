/** Prose in many scripts, each of 200 tokens or more. */
export const PROSE: Readonly<Record<string, string>> = {
  "English letter": `Dear Martha, the boat came back on Tuesday with a broken mast and a hold full of mackerel, so nobody
complained for long. Your brother says the repair will take three weeks if the timber arrives, and twice that if it does
not. Meanwhile the children have turned the boathouse into a theatre. They sell tickets for a penny, they play the same
scene every evening, and they have already quarrelled about who owns the curtain. I walked up to the lighthouse yesterday
to ask about the winter stores. The keeper was friendly but vague, as always; he thinks we should order the flour now,
before the roads soften, and wait with the lamp oil until prices fall. I believe he is right about the flour. Please
write to me about your examinations, and whether the landlady still objects to the violin. We miss you at supper, and
the dog sleeps on your chair. With love from all of us, and from the dog especially, your father.`,
  "English report": `The committee reviewed four proposals for replacing the heating system and recommends the second.
Its initial cost is higher than that of the cheapest offer by eleven percent, but the expected consumption is lower by a
third, and the difference is recovered within seven winters. Two risks remain. First, the supplier has delivered only
nine comparable installations, none of which is older than five years; long-term maintenance costs are therefore an
estimate. Second, the cellar floor must be reinforced before delivery, and the structural survey has not been finished.
We suggest that the contract be signed on condition that the survey confirms the load calculations, and that a penalty be
agreed for each week of delay after the first of October. Tenants should be informed early, because the heating will be
interrupted for at most six days. The committee asks the assembly to approve the expenditure at its next meeting. If the assembly declines, the present boiler can be kept running for one more winter, though the chimney inspector has already asked twice for a new flue.`,
  "Chinese technical": `当对话变得很长时，模型的上下文窗口会被填满。系统必须决定哪些内容继续保留，哪些内容可以压缩成摘要。最简单的办法是只保留最近的几条消息，
但是这样会丢失早期的重要决定，例如用户一开始说明的目标和限制条件。更好的做法是把旧的工具输出缩短，同时把完整的原文保存在日志里，需要的时候再取回来。
摘要里应该逐字保留文件路径、错误代码、端口号和人名，因为这些标识符以后很可能还会用到。压缩之后要检查结果：新的视图必须比原来小，调用和返回必须成对出现，
最后一条用户消息不能丢失。如果摘要模型失败或者太慢，就改用不需要模型的摘录方法。每一次压缩都要留下一份收据，说明替换了什么、节省了多少，以及怎样恢复。`,
  "Chinese story": `老船长每天清晨都会沿着海堤散步。他走得很慢，因为左腿在一次风暴里受过伤，但是他从来不肯用拐杖。镇上的孩子们喜欢跟在他后面，
听他讲远方的港口、奇怪的鱼和会唱歌的水手。有一天，一个小女孩问他为什么不再出海。老人停下脚步，看了看灰色的天空，说大海已经认识他了，不需要再去打招呼。
女孩觉得这个回答很有意思，回家以后把它写在了日记里。很多年以后，她成了一名海洋学家，在南方的研究船上工作。每当船离开港口的时候，她都会站在甲板上，
轻轻地对着水面说一声早安。她的同事们以为这是某种迷信，她也从来不解释。只有她自己知道，那是替一位老朋友打的招呼。`,
  "Traditional Chinese": `這套系統會把使用者的對話紀錄保存在資料庫裡，並且在背景中定期整理。當視窗快要用完的時候，程式會先檢查有沒有重複讀取的檔案，
如果有，就只保留最新的版本。接著，它會縮短過長的工具輸出，但是完整的內容仍然可以透過識別碼取回。最後，如果空間還是不夠，系統才會請模型撰寫摘要，
並且逐字保留路徑、編號與決定。開發人員可以在設定檔中調整這些規則，例如保留多少則訊息、何時觸發壓縮，以及摘要的最大長度。我們建議先使用預設值，
觀察幾天之後再根據實際的使用情形進行調整。若發現重要的資訊遺失，請利用還原功能回到先前的檢查點，並將問題回報給維護團隊。`,
  "Japanese technical": `会話が長くなると、モデルのコンテキストウィンドウはすぐにいっぱいになります。そのため、どの情報を残し、どの情報を要約するかを決める必要があります。
最も簡単な方法は、最近のメッセージだけを残すことですが、それでは最初に決めた目標や制約が失われてしまいます。より良い方法は、古いツールの出力を短くし、
完全な内容はログに保存しておいて、必要なときに取り出せるようにすることです。要約には、ファイルのパス、エラーコード、ポート番号などの識別子をそのまま残すべきです。
圧縮した後は、結果が元より小さくなっていること、呼び出しと応答が対になっていること、最後のユーザーメッセージが残っていることを確認します。`,
  "Japanese story": `祖母の家の裏には小さな川が流れていて、夏になると私たちは毎日そこで遊びました。水はとても冷たく、石の間には青い魚が隠れていました。
ある日、弟が古い瓶を見つけました。中には黄色くなった紙が入っていて、誰かの名前と日付が書いてありました。私たちは急いで家に帰り、祖母に見せました。
祖母はしばらく黙って紙を見つめてから、静かに笑いました。それは彼女が子供のころに書いた手紙だったのです。六十年もの間、瓶は同じ川で待っていたのでした。
その夜、祖母は昔の話をたくさんしてくれました。戦争の前の町のこと、川で一緒に遊んだ友だちのこと、そして二度と会えなかった人たちのことを。`,
  "Korean technical": `대화가 길어지면 모델의 컨텍스트 창이 금방 가득 찹니다. 그래서 어떤 내용을 남기고 어떤 내용을 요약할지 결정해야 합니다. 가장 간단한 방법은
최근 메시지만 남기는 것이지만, 그러면 처음에 정한 목표와 제약 조건이 사라집니다. 더 좋은 방법은 오래된 도구 출력을 줄이고, 전체 내용은 로그에 저장해 두었다가
필요할 때 다시 꺼내 오는 것입니다. 요약에는 파일 경로, 오류 코드, 포트 번호 같은 식별자를 그대로 남겨야 합니다. 압축한 뒤에는 결과가 원본보다 작은지,
호출과 응답이 짝을 이루는지, 마지막 사용자 메시지가 남아 있는지 확인합니다. 요약 모델이 실패하거나 너무 느리면 모델이 필요 없는 발췌 방식을 사용합니다. 압축할 때마다 영수증을 남겨서 무엇이 바뀌었고 얼마나 줄었는지, 그리고 어떻게 되돌릴 수 있는지 알려 주어야 합니다.`,
  "Korean story": `할머니 댁 뒤에는 작은 강이 흐르고 있었고, 여름이면 우리는 매일 그곳에서 놀았습니다. 물은 아주 차가웠고 돌 사이에는 작은 물고기들이 숨어 있었습니다.
어느 날 동생이 오래된 병을 하나 발견했습니다. 병 안에는 누렇게 변한 종이가 들어 있었고, 누군가의 이름과 날짜가 적혀 있었습니다. 우리는 급히 집으로 돌아가
할머니께 보여 드렸습니다. 할머니는 한참 동안 말없이 종이를 바라보시더니 조용히 웃으셨습니다. 그것은 할머니가 어렸을 때 쓴 편지였습니다. 육십 년 동안
그 병은 같은 강에서 기다리고 있었던 것입니다. 그날 밤 할머니는 옛날이야기를 많이 들려주셨습니다. 전쟁이 일어나기 전의 마을 이야기, 강에서 함께 놀던 친구들 이야기, 그리고 다시는 만나지 못한 사람들의 이야기였습니다.`,
  "Arabic technical": `عندما تصبح المحادثة طويلة تمتلئ نافذة السياق بسرعة، ولذلك يجب أن يقرر النظام ما الذي يبقى وما الذي يمكن تلخيصه. أبسط طريقة هي
الاحتفاظ بالرسائل الأخيرة فقط، لكن ذلك يؤدي إلى ضياع القرارات المهمة التي اتخذت في البداية، مثل الهدف الذي حدده المستخدم والقيود التي ذكرها. الطريقة الأفضل هي
اختصار مخرجات الأدوات القديمة مع حفظ النص الكامل في السجل حتى يمكن استرجاعه عند الحاجة. ويجب أن يحتفظ الملخص بمسارات الملفات وأرقام المنافذ ورموز الأخطاء كما
هي، لأن هذه المعلومات تستخدم غالبا مرة أخرى في وقت لاحق. وبعد الضغط يجب التحقق من أن النتيجة أصغر من الأصل، وأن آخر رسالة من المستخدم ما زالت موجودة. وإذا فشل النموذج أو تأخر كثيرا فمن الأفضل استخدام طريقة بسيطة لا تحتاج إلى نموذج، وهي اختيار الجمل المهمة من النص الأصلي وعرضها كما كتبت.`,
  "Arabic story": `كان البحار العجوز يمشي كل صباح على طول الشاطئ، ببطء شديد لأن ساقه أصيبت في عاصفة قبل سنوات طويلة، لكنه كان يرفض دائما أن يستعمل العصا.
وكان أطفال المدينة يحبون أن يسيروا خلفه ويسمعوا حكاياته عن الموانئ البعيدة والأسماك الغريبة. وفي يوم من الأيام سألته طفلة صغيرة لماذا لم يعد يسافر في
البحر. توقف الرجل قليلا ونظر إلى السماء الرمادية، ثم قال إن البحر يعرفه الآن ولا يحتاج إلى أن يسلم عليه مرة أخرى. كتبت الطفلة هذا الجواب في دفترها، وبعد
سنوات كثيرة أصبحت عالمة تدرس المحيطات وتعمل على سفينة كبيرة في الجنوب. وكلما غادرت السفينة الميناء كانت تقف وحدها وتقول للماء صباح الخير بصوت منخفض، ولم يعرف أحد من زملائها لماذا تفعل ذلك، لأنها كانت ترسل السلام نيابة عن صديق قديم.`,
  "Russian technical": `Когда разговор становится длинным, окно контекста быстро заполняется, и система должна решить, что оставить, а что можно сжать. Проще всего
хранить только последние сообщения, но тогда теряются важные решения, принятые в самом начале: цель пользователя и его ограничения. Лучше сокращать старые
результаты инструментов, а полный текст держать в журнале, чтобы при необходимости вернуть его. В кратком изложении нужно дословно сохранять пути к файлам,
коды ошибок, номера портов и имена, потому что они почти наверняка понадобятся снова. После сжатия следует проверить, что результат действительно меньше
исходного, что вызовы и ответы идут парами и что последнее сообщение пользователя на месте. Если модель не отвечает, применяется простое извлечение предложений. Каждое сжатие оставляет квитанцию: что именно было заменено, сколько токенов удалось сэкономить и каким образом можно вернуть исходный текст.`,
  "Russian story": `За бабушкиным домом текла маленькая река, и летом мы играли там каждый день. Вода была холодная и прозрачная, а между камнями прятались
рыбки. Однажды брат нашёл старую бутылку. Внутри лежал пожелтевший листок, на котором были написаны чьё-то имя и дата. Мы побежали домой и показали находку
бабушке. Она долго молча смотрела на бумагу, а потом тихо улыбнулась. Это было письмо, которое она сама написала в детстве. Шестьдесят лет бутылка ждала в той
же самой реке. В тот вечер бабушка рассказала нам много историй о старом городе, о друзьях, с которыми она купалась, и о людях, которых больше никогда не
видела. Мы слушали до самой ночи, и никто не хотел идти спать. Утром мы снова пошли к реке и положили в бутылку новое письмо.`,
  "Hindi technical": `जब बातचीत लंबी हो जाती है तो मॉडल की सीमा जल्दी भर जाती है, इसलिए यह तय करना पड़ता है कि क्या रखा जाए और क्या छोटा किया जाए। सबसे आसान
तरीका यह है कि केवल पिछले कुछ संदेश रखे जाएँ, लेकिन ऐसा करने से शुरुआत में लिए गए महत्वपूर्ण निर्णय खो जाते हैं, जैसे उपयोगकर्ता का लक्ष्य और उसकी शर्तें। बेहतर
तरीका यह है कि पुराने परिणामों को छोटा किया जाए और पूरा पाठ सुरक्षित रखा जाए, ताकि ज़रूरत पड़ने पर उसे वापस लाया जा सके। सारांश में फ़ाइलों के नाम, त्रुटि कोड और
संख्याएँ वैसे ही रहनी चाहिए, क्योंकि आगे चलकर उनकी फिर से आवश्यकता होती है। हर बार जब पाठ छोटा किया जाता है, तब एक रसीद भी दी जानी चाहिए, जिसमें लिखा हो कि क्या बदला गया, कितनी जगह बची और मूल पाठ को वापस कैसे लाया जा सकता है। यदि मॉडल काम न करे या बहुत धीमा हो, तो महत्वपूर्ण वाक्य सीधे मूल पाठ से चुने जाते हैं।`,
  "Hindi story": `दादी के घर के पीछे एक छोटी नदी बहती थी और गर्मियों में हम हर दिन वहाँ खेलते थे। पानी बहुत ठंडा था और पत्थरों के बीच छोटी मछलियाँ छिपी रहती थीं।
एक दिन मेरे भाई को एक पुरानी बोतल मिली। उसके अंदर एक पीला कागज़ था जिस पर किसी का नाम और तारीख लिखी हुई थी। हम दौड़कर घर आए और दादी को वह कागज़ दिखाया।
दादी बहुत देर तक चुपचाप उसे देखती रहीं और फिर धीरे से मुस्कुराईं। वह चिट्ठी उन्होंने खुद बचपन में लिखी थी। साठ साल तक वह बोतल उसी नदी में इंतज़ार करती रही। उस रात
दादी ने हमें पुराने शहर और अपने दोस्तों की बहुत सारी कहानियाँ सुनाईं। सुबह हम फिर नदी के किनारे गए और उसी बोतल में एक नई चिट्ठी रखकर उसे पानी में छोड़ दिया।`,
  Thai: `เมื่อการสนทนายาวขึ้น หน้าต่างบริบทของโมเดลจะเต็มอย่างรวดเร็ว ระบบจึงต้องตัดสินใจว่าจะเก็บข้อมูลใดไว้และจะสรุปข้อมูลใด วิธีที่ง่ายที่สุดคือเก็บเฉพาะข้อความล่าสุด
แต่วิธีนี้ทำให้การตัดสินใจสำคัญในช่วงแรกหายไป เช่น เป้าหมายและข้อจำกัดที่ผู้ใช้บอกไว้ วิธีที่ดีกว่าคือย่อผลลัพธ์เก่าของเครื่องมือให้สั้นลง และเก็บข้อความเต็มไว้ในบันทึกเพื่อให้เรียกคืนได้เมื่อต้องการ
หลังจากบีบอัดแล้วต้องตรวจสอบว่าผลลัพธ์เล็กกว่าเดิม และข้อความสุดท้ายของผู้ใช้ยังอยู่ครบ หากโมเดลสรุปไม่สำเร็จหรือช้าเกินไป ให้ใช้วิธีคัดลอกประโยคสำคัญแทน`,
  German: `Wenn ein Gespräch lang wird, füllt sich das Kontextfenster schnell, und das System muss entscheiden, was bleibt und was gekürzt werden darf. Am
einfachsten wäre es, nur die letzten Nachrichten zu behalten, doch dann gehen frühe Entscheidungen verloren, etwa das Ziel des Nutzers und seine Vorgaben.
Besser ist es, alte Werkzeugausgaben zu kürzen und den vollständigen Text im Protokoll aufzubewahren, damit er bei Bedarf wieder geholt werden kann. In der
Zusammenfassung müssen Dateipfade, Fehlernummern und Namen wörtlich stehen, denn sie werden höchstwahrscheinlich noch einmal gebraucht. Nach dem Verdichten
wird geprüft, ob das Ergebnis wirklich kleiner ist und ob die letzte Nachricht des Nutzers noch vorhanden ist. Schlägt das Modell fehl, hilft ein Auszug. Jede Verdichtung hinterlässt eine Quittung: was ersetzt wurde, wie viele Token gespart wurden und wie sich der ursprüngliche Text zurückholen lässt.`,
  French: `Quand une conversation s'allonge, la fenêtre de contexte se remplit vite, et le système doit décider ce qu'il garde et ce qu'il résume. Le plus simple
serait de ne conserver que les derniers messages, mais on perdrait alors les décisions prises au début, comme l'objectif de l'utilisateur et ses contraintes.
Il vaut mieux raccourcir les anciennes sorties d'outils et garder le texte complet dans le journal, afin de pouvoir le retrouver au besoin. Le résumé doit
reprendre mot pour mot les chemins de fichiers, les codes d'erreur et les noms, car ils serviront très probablement encore. Après la compression, on vérifie
que le résultat est vraiment plus petit et que le dernier message de l'utilisateur est toujours présent. Si le modèle échoue, un simple extrait suffit. Chaque compression laisse un reçu qui indique ce qui a été remplacé, combien de jetons ont été économisés et comment retrouver le texte d'origine, même des mois plus tard.`,
  "mixed scripts": `User (Seoul): 안녕하세요, the build fails on my machine. 로그를 보면 "cannot find module './config'" 라고 나옵니다. Could you check?
Agent: Sure — I looked at src/config/index.ts and 第 42 行 the import path is wrong; 应该改成 "../config.js". I also saw a warning in Japanese:
「設定ファイルが見つかりません」 which means the settings file is missing. Der Fehler tritt nur unter Windows auf, weil dort Pfade mit Backslash geschrieben werden.
User: Спасибо! Я проверил ещё раз, теперь тесты проходят: 118 passed, 2 skipped 🎉. One more thing: لماذا يظهر هذا التحذير؟ "deprecated option: target".
Agent: C'est normal, l'option « target » sera supprimée en 2026; replace it with "browserslist". यह चेतावनी बाद में हट जाएगी। 👍 Done in commit 9f3c2ab, see PR #1287.`,
};
