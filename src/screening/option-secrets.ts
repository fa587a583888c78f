import { type SecretPattern, MAX_VALUE_CHARS, VALUE } from "./secret-pattern.ts";
import { isPlaceholder, isSecretValue } from "./secret-value.ts";

/** What the options of commands, what they are fed, and the files that programs log in with say of a value. */
export const OPTION_SECRETS: readonly SecretPattern[] = [
  {
    // `--password x`, `--token=x`, `-p x` of programs that take one there
    kind: "password",
    hints:
      "--pass|--pwd|--pw|--token|--secret|--api|--auth|--access|--cred|--private|-passin |-passout ".split(
        "|",
      ),
    pattern: new RegExp(
      `-{1,2}(?:[a-z]{1,20}-){0,3}(?:pass(?:word|wd|phrase|code|in|out)?|pwd?|token|secret|(?:api-?|access-|secret-|auth-|private-)?key|auth|credentials?)[ =]{1,2}(?:pass:)?${VALUE}`,
      "iy",
    ),
    isSecret: (value, { lead }) => isSecretValue(value, /pass|pwd?/i.test(lead) ? "named" : "possible"),
  },
  {
    kind: "password",
    hints: (
      "mysql|mariadb|sshpass|docker login|podman login|registry login|redis-cli|mongo|ldap|" +
      "az login|oc login|sqlcmd|unzip|zip -|7z |smbclient|openssl|xfreerdp|bcp |cqlsh|twine |" +
      "mosquitto"
    ).split("|"),
    pattern: new RegExp(
      `(?:openssl\\b[^\\n|;&]{0,200}?\\s-k\\s|(?:mysql\\w*|mariadb\\w*|sshpass|(?:docker|podman|registry|az|oc) login|redis-cli|mongo\\w*|ldap\\w+|sqlcmd|unzip|zip|7z|smbclient|xfreerdp|bcp|cqlsh|twine|mosquitto_\\w{3})\\b[^\\n|;&]{0,200}?\\s(?:-(?:p|P|a|w|U\\s?\\w{1,40}%)|/p:))\\s?${VALUE}`,
      "y",
    ),
    isSecret: (value) => isSecretValue(value, "named"),
  },
  {
    kind: "password",
    hints: ["curl", "wget", "http ", "https ", "--user", "--auth", "-u "],
    pattern: new RegExp(
      `(?:(?:curl|wget|https?)\\b[^\\n|;&]{0,300}?\\s)?(?:-u|--user|--auth|--proxy-user|-U|-a)[ =]?["']?[^\\s:'"]{1,100}:["']?(?<value>[^\\s"'\`]{6,${MAX_VALUE_CHARS}})`,
      "y",
    ),
    isSecret: (value) => isSecretValue(value, "named"),
  },
  {
    // `net user anna PASSWORD /add`, `echo "anna:PASSWORD" | chpasswd`, `ConvertTo-SecureString "PASSWORD"`, `ssws TOKEN`
    kind: "password",
    hints: (
      "net user |chpasswd|convertto-securestring|ssws |identified |rabbitmqctl |lftp -u|htpasswd -|" +
      "geniekey |_authtoken |secret_access_key |wpa_passphrase |private_key_id|lösenord|hasło|send "
    ).split("|"),
    pattern: new RegExp(
      `(?:net user \\S{1,60}|ConvertTo-SecureString(?: -String)?|ssws|IDENTIFIED (?:WITH \\S{1,40} )?BY|rabbitmqctl (?:add_user|change_password) \\S{1,60}|lftp -u ?[\\w.-]{1,40},|htpasswd -\\w{0,4}b\\w{0,4} \\S{1,100} \\S{1,60}|GenieKey|_authToken|secret_access_key|wpa_passphrase \\S{1,60}|private_key_id":|l[öo]senord:|hasło:|(?<=password:?[^\\n]{0,10}\\n\\s{0,8})send|chpasswd <<< ["']?[\\w.-]{1,40}:)\\s{0,3}${VALUE}`,
      "iy",
    ),
    isSecret: (value) => !value.startsWith("/") && isSecretValue(value, "named"),
  },
  {
    kind: "password",
    hints: ["chpasswd", "sudo -s", "passwd --stdin", "vncpasswd"],
    pattern: /(?:chpasswd|sudo -S|(?:vnc)?passwd (?:--stdin|-f))/y,
    reach: /echo (?:-n )?["']?(?:[\w.-]{1,40}:)?([^\s"'|]{6,60})["']?\s{0,3}\|\s{0,3}(?:sudo )?$/,
    isBehind: true,
    isSecret: (value) => isSecretValue(value, "named"),
  },
  {
    // Words of other scripts: in Russian, Chinese, Japanese, Korean.
    kind: "password",
    hints: [
      "пар",
      "Пар",
      ..."密码 密碼 パスワ 비밀번"
        .split(" ")
        .flatMap((word) => (word.length > 2 ? word : Array.from(":：是为為 ", (next) => word + next))),
    ],
    pattern: new RegExp(
      `(?:[Пп]арол\\p{L}{1,2}|密[码碼]|パスワード|비밀번호)[\\s:：=是为為は는]{1,4}${VALUE}`,
      "uy",
    ),
    isSecret: (value) => isSecretValue(value, "stated"),
  },
  {
    // .pgpass, .netrc
    kind: "password",
    hints: [":5432:", ":*:", ":3306:"],
    pattern: /:(?:\d{4}|\*):[^:\s]{1,80}:[^:\s]{1,80}:(?<value>[^\s:]{6,200})/y,
    isSecret: (value) => isSecretValue(value, "named"),
  },
  {
    kind: "password",
    hints: ["login "],
    pattern: /login\s{1,4}\S{1,100}\s{1,8}password\s{1,4}(?<value>\S{5,200})/iy,
    isSecret: (value) => !isPlaceholder(value) && /[^a-z]/.test(value),
  },
];
