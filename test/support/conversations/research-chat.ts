import type { Message } from "../../../src/index.js";
import { Transcript } from "./transcript.js";

const search = (query: string, output: string) => ({ tool: "search_papers", input: { query }, output });
const open = (id: string, output: string) => ({ tool: "open_paper", input: { id }, output });

/** Somebody plans a measurement campaign and has the literature read. */
export function researchChat(): Message[] {
  return new Transcript()
    .user(
      "I want to know how fast lake sediment piles up in deep alpine lakes, for a grant proposal due on 14 March. Only use peer-reviewed sources from 2010 on, and never quote a number without its uncertainty.",
    )
    .act(
      "I will look for varve chronologies first, since they give yearly rates.",
      search(
        "varved sediment accumulation rate deep alpine lakes",
        [
          "1. Kremer & Anselm 2015, doi:10.5555/jq.2015.0412, Lake Oeschinen: varves since AD 1180, 3.1 ± 0.4 mm a-1",
          "2. Bonetti et al. 2019, doi:10.5555/sed.2019.1107, Lago di Ledro: 0.9 ± 0.2 mm a-1, 14C and 137Cs",
          "3. Haas 2008, doi:10.5555/hyd.2008.0031, Lake Silvaplana: 2.6 mm a-1, no error given",
        ].join("\n"),
      ),
    )
    .say(
      "Three candidates. I leave out Haas 2008: it is older than 2010 and gives no uncertainty. Oeschinen has 3.1 ± 0.4 mm a-1, Ledro 0.9 ± 0.2 mm a-1.",
    )
    .user("Why do the two differ by a factor of three? Check whether it is the catchment or the method.")
    .act(
      "I will read both papers for catchment and method.",
      open(
        "doi:10.5555/jq.2015.0412",
        "Catchment 22.1 km2, 31 % glaciated until 1990. Rates from varve counts on core OES-12-3, checked by 210Pb. Flood layers were removed before counting; with them the rate is 3.8 ± 0.5 mm a-1.",
      ),
      open(
        "doi:10.5555/sed.2019.1107",
        "Catchment 111 km2, no glacier. Rates from 14C and 137Cs on core LL-081, age model by Bacon 2.3. Below 4.2 m the core is disturbed and was not used.",
      ),
    )
    .say(
      "Mostly the catchment: Oeschinen was fed by a glacier (31 % of 22.1 km2 until 1990), Ledro by none. The method adds little: 210Pb agrees with the varve counts of core OES-12-3. Note that Oeschinen's 3.1 leaves flood layers out; with them it is 3.8 ± 0.5 mm a-1.",
    )
    .user(
      "Then use the figures with flood layers, because our corer cannot tell them apart. What depth do we need for 800 years?",
    )
    .say(
      "Decision: figures with flood layers. At 3.8 ± 0.5 mm a-1, 800 years take 3.0 ± 0.4 m, so a 4 m Kullenberg core is enough at Oeschinen.",
    )
    .user(
      "Our Kullenberg is 6 m, good. Is there a permit for Oeschinen? I must not mention the site before it is granted.",
    )
    .act(
      "I will look at the register of permits.",
      search(
        "sampling permit Oeschinensee UNESCO Jungfrau-Aletsch",
        "error 503: the register is being updated, try again after 18:00",
      ),
    )
    .say(
      'The register answered 503 until 18:00, so the permit is open. I will write "a glacier-fed lake in the Bernese Alps" and not name the site.',
    )
    .user("Right. Now write the paragraph on rates, at most 120 words.").messages;
}
