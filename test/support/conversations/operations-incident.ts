import type { Message } from "../../../src/index.js";
import { Transcript } from "./transcript.js";

const run = (command: string, output: string) => ({ tool: "run_command", input: { command }, output });
const logLine = (at: number) =>
  `2031-05-09T03:${10 + (at % 40)}:0${at % 10}Z INFO  queue=mail depth=${400 + at * 7} ok`;
const noise = (count: number) => Array.from({ length: count }, (_, at) => logLine(at)).join("\n");

/** Mail is late at night, and somebody on call is helped by an agent. */
export function operationsIncident(): Message[] {
  return new Transcript()
    .user(
      "INC-4410: password mails arrive an hour late since 03:12 UTC. Find out why. Do not restart the broker mq-2, it holds unreplicated messages.",
    )
    .act(
      "I will look at the queue and at the workers.",
      run(
        "mqctl depth --queue mail",
        `${noise(30)}\n2031-05-09T03:52:11Z WARN  queue=mail depth=18214 oldest=58m consumers=1`,
      ),
      run(
        "kubectl -n mail get pods",
        "NAME                 READY  STATUS            RESTARTS\nmailer-7c9f-4kd2x    1/1    Running           0\nmailer-7c9f-9xw7p    0/1    CrashLoopBackOff  41\nmailer-7c9f-zz81q    0/1    CrashLoopBackOff  40",
      ),
    )
    .say(
      "One consumer is left of three: mailer-7c9f-9xw7p and mailer-7c9f-zz81q crash again and again. The queue holds 18,214 mails, the oldest 58 minutes old.",
    )
    .act(
      "I will read why they crash.",
      run(
        "kubectl -n mail logs mailer-7c9f-9xw7p --previous --tail 40",
        `${noise(20)}\n2031-05-09T03:11:58Z ERROR tls: certificate /etc/mailer/relay.pem expired 2031-05-09T03:11:40Z\n2031-05-09T03:11:58Z FATAL relay smtp.relay.example:465 refused: x509: certificate has expired\nexit status 3`,
      ),
    )
    .say(
      "Cause: the client certificate /etc/mailer/relay.pem expired at 03:11:40 UTC. The pod still running opened its connection before that and will fail as well when it reconnects.",
    )
    .user("Can we get a new one without Priya? She holds the CA key and is on a plane until 09:00.")
    .act(
      "I will see whether the automatic renewal can be run.",
      run(
        "kubectl -n mail describe certificate relay-client",
        "Status: False  Reason: Failed\nMessage: acme: error 429 rateLimited, retry after 2031-05-09T05:00:00Z\nSecret: relay-client-tls  Issuer: internal-acme",
      ),
    )
    .say(
      "The renewal failed: the issuer internal-acme answers 429 until 05:00 UTC. Until then the second relay at smtp2.relay.example:587 takes password mails by token, without a client certificate.",
    )
    .user(
      "Do it: send password mails through smtp2, and leave newsletters in the queue. Tell me the command to go back.",
    )
    .act(
      "I will switch the route for the class password only.",
      run(
        "mailctl route set --class password --relay smtp2.relay.example:587",
        "route password: smtp.relay.example:465 -> smtp2.relay.example:587 (revision 118)",
      ),
      run("mailctl drain --class password --rate 50/s", "drained 6120 of 6120 in 123 s, 0 failed"),
    )
    .say(
      "Done: 6,120 password mails went out in 123 s, none failed. Newsletters wait. To go back: mailctl route rollback --to 117. Open: renew relay-client after 05:00 UTC, then restart both crashed pods, not the broker.",
    )
    .user("Thanks. Remind me at 05:05 UTC, and put the rollback into INC-4410.").messages;
}
