import { HOLE, type ShellWord, absolutePath, isKnown, knownWord } from "./shell-command.ts";

interface GivenOption {
  names: readonly string[];
  value: ShellWord | undefined;
  /** `--dry-run=false`: named, but switched off. */
  isOff?: boolean;
}

export interface CommandArguments {
  options: readonly GivenOption[];
  operands: readonly ShellWord[];
  /** The options of the command, if heed knows them: the command refuses all others. */
  spec: CommandSpec | undefined;
}

const MAX_SUBCOMMANDS = 3;

/** Parts options, values and operands: of known commands also `-nm x`; of others every letter after a dash is an option. */
export function readArguments(words: readonly ShellWord[]): CommandArguments {
  const [name, ...args] = words;
  let command = name?.text ?? "";
  let spec = optionsOf(command);
  let options: GivenOption[] = [];
  const operands: ShellWord[] = [];
  const seen = new Set<string>();
  // The index of an option that may take the next word.
  let bareAt = -2;
  let isFirst = true;
  // The words after the image run in it.
  let imageAt = Infinity;
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    if (!word) break;
    const { text } = word;
    if (text === "--") options.push({ names: ["--"], value: undefined });
    if (text === "--" || operands.length > imageAt) {
      operands.push(...args.slice(text === "--" ? i + 1 : i));
      break;
    }
    if (/^-./.test(text)) {
      const next = args[i + 1];
      const read = readOption(word, next, spec);
      if (read.isNextTaken) i += 1;
      for (const option of read.options) {
        // The last of an option and its negation counts.
        const opposites = option.names.map((one) =>
          one.startsWith("--no-") ? `--${one.slice(5)}` : `--no-${one.slice(2)}`,
        );
        if (opposites.some((one) => seen.has(one)))
          options = options.filter(({ names }) => !names.some((one) => opposites.includes(one)));
        for (const one of option.names) seen.add(one);
        options.push(option);
      }
      const isNamed = spec ? !/^--\w[\w-]*$/.test(text) || findLong(text, spec) : text.includes("=");
      if (!read.isNextTaken && !isNamed && spec?.byName.size !== 0) bareAt = i;
    } else {
      // An unknown option may take this word as its value; `cargo +nightly` precedes the subcommand.
      const isMaybeValue: boolean = bareAt === i - 1 ? !spec || isFirst : isFirst && /^(?:\+.*)$/.test(text);
      isFirst &&= isMaybeValue;
      imageAt += Number(bareAt === i - 1);
      operands.push(isMaybeValue ? { ...word, isMaybeValue } : word);
      if (operands.length <= MAX_SUBCOMMANDS && !text.includes(HOLE)) {
        const inner = optionsOf(`${command} ${text}`);
        // The options of git itself are not those of a subcommand that heed does not know.
        if (inner || command === "git") {
          command = `${command} ${text}`;
          spec = inner;
          if (command === "docker run") imageAt = operands.length;
        }
      }
    }
  }
  return { options, operands, spec };
}

/** The options of one word, and whether the next word is the value of the last. */
interface WordOptions {
  options: GivenOption[];
  isNextTaken: boolean;
}

/** Git's options before its subcommand, and the subcommand's index. */
export function globalOptions(words: readonly ShellWord[]): { options: GivenOption[]; next: number } {
  const options: GivenOption[] = [];
  let next = 1;
  for (; next < words.length; next++) {
    const word = words[next];
    if (!word || !/^-./.test(word.text)) break;
    const read = readOption(word, words[next + 1], optionsOf("git"));
    options.push(...read.options);
    if (read.isNextTaken) next += 1;
  }
  return { options, next };
}

/** Options that say in which directory a program works; `--manifest-path` by a file in it. */
const DIRECTORY: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    git: /^(?:-C|--work-tree)$/,
    make: /^(?:-C|--directory)$/,
    terraform: /^-{1,2}chdir$/,
    tofu: /^-{1,2}chdir$/,
    npm: /^(?:-C|--prefix)$/,
    pnpm: /^(?:-C|--dir)$/,
    yarn: /^--cwd$/,
    bun: /^--cwd$/,
    cargo: /^(?:-C|--manifest-path)$/,
    go: /^-C$/,
    "docker compose": /^--project-directory$/,
  }),
);

/** The directory in which a command works: where the shell is, or where its own options say. */
export function directoryOf(words: readonly ShellWord[], cwd: string | undefined): string | undefined {
  const [{ text: program } = knownWord(""), first = knownWord("")] = words;
  const test = DIRECTORY.get(program) ?? DIRECTORY.get(`${program} ${first.text}`);
  if (!test) return cwd;
  const { options } = program === "git" ? globalOptions(words) : readArguments(words);
  let folder = cwd;
  for (const { names, value } of options) {
    if (!value || !names.some((name) => test.test(name))) continue;
    const text = names.includes("--manifest-path") ? `${value.text}/..` : value.text;
    folder = isKnown(value) ? absolutePath(text, folder) : undefined;
  }
  return folder;
}

export function readOption(word: ShellWord, next?: ShellWord, spec?: CommandSpec): WordOptions {
  const { text } = word;
  const [, written = text, ownText] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const isLong = text.startsWith("--");
  const found = spec && written.length > 2 ? findLong(written, spec) : undefined;
  const isOpen = !spec?.byName.size;
  if (!isLong && !found && (!isOpen || written.length === 2)) return readLetters(word, next, spec);
  const own = ownText === undefined ? undefined : { ...word, text: ownText };
  const isSwitch = found?.value !== "next";
  // After an unknown option it may be a value, and a word of its own.
  const maybe = (isOpen || (isLong && !found)) && !next?.text.startsWith("-") ? next : undefined;
  // npm takes a `false` after a switch as its value.
  const isNpmValue = spec?.isNpm === true && /^(?:true|false|null)$/.test(next?.text ?? "");
  const isNextTaken = !own && next !== undefined && (!isSwitch || isNpmValue);
  const value = own ?? (isNextTaken ? next : maybe);
  const isOff = isSwitch && value !== undefined && OFF.test(value.text);
  const names = found?.names ?? (isOpen ? [written, isLong ? written.slice(1) : `-${written}`] : [written]);
  // One dash may precede letters, or a long name: `-auto-approve=false`.
  const letters = isLong || found ? [] : readLetters(word, next, spec).options;
  return { options: [{ names, value, isOff }, ...letters], isNextTaken };
}

const OFF = /^(?:false|f|0|no|off|none|never|null)$/i;

/** A long option by its name or an unambiguous beginning, as git and GNU complete it. */
function findLong(written: string, spec: CommandSpec): OptionSpec | undefined {
  const exact = spec.byName.get(written);
  if (exact || written.length < 3) return exact;
  const fitting = [...spec.byName].filter(([name]) => name.startsWith(written));
  const [only, ...others] = new Set(fitting.map(([, option]) => option));
  return others.length === 0 ? only : undefined;
}

function readLetters(word: ShellWord, next?: ShellWord, spec?: CommandSpec): WordOptions {
  const options: GivenOption[] = [];
  const letters = word.text.slice(1);
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i] ?? "";
    // `-n5`: a character that is not a letter begins a value.
    if (i > 0 && !/[A-Za-z]/.test(letter)) break;
    const known = spec?.byName.get(`-${letter}`);
    const names = known?.names ?? [`-${letter}`];
    const rest = letters.slice(i + 1);
    if (known && known.value !== "none") {
      const isNextTaken = rest === "" && known.value === "next" && next !== undefined;
      const value = rest !== "" ? { ...word, text: rest.replace(/^=/, "") } : isNextTaken ? next : undefined;
      options.push({ names, value });
      return { options, isNextTaken };
    }
    // An unknown command's option may have its value in the same word or in the next.
    const after = rest === "" ? next : { ...word, text: rest };
    options.push({ names, value: spec || after?.text.startsWith("-") ? undefined : after });
  }
  return { options, isNextTaken: false };
}

/** Spellings with commas, `-name` for one dash; `=`: value in the next word, `?`: in the same. From git 2.39 and manual pages. */
const OPTIONS: ReadonlyMap<string, string> = new Map(
  Array.from(
    `
git: C= c= git-dir= work-tree= namespace= super-prefix= config-env= attr-source= exec-path? p,paginate P,no-pager bare no-replace-objects no-optional-locks literal-pathspecs
git commit: q,quiet v,verbose F,file= author= date= m,message= c,reedit-message= C,reuse-message= fixup= squash= reset-author trailer= s,signoff t,template= e,edit cleanup= status S,gpg-sign? a,all i,include p,patch o,only n,no-verify dry-run short branch ahead-behind porcelain long z,null amend no-post-rewrite u,untracked-files? pathspec-from-file= pathspec-file-nul allow-empty allow-empty-message verify post-rewrite no-gpg-sign no-edit no-status
git push: v,verbose q,quiet repo= all mirror d,delete tags n,dry-run porcelain f,force force-with-lease? force-if-includes recurse-submodules= thin receive-pack= exec= u,set-upstream progress prune no-verify follow-tags signed? atomic o,push-option= 4,ipv4 6,ipv6 verify no-force no-force-with-lease no-thin
git merge: n stat summary log? squash commit e,edit cleanup= ff ff-only rerere-autoupdate verify-signatures s,strategy= X,strategy-option= m,message= F,file= into-name= v,verbose q,quiet abort quit continue allow-unrelated-histories progress S,gpg-sign? autostash overwrite-ignore signoff no-verify verify no-ff no-commit no-edit
git rebase: onto= keep-base no-verify q,quiet v,verbose n,no-stat signoff C= committer-date-is-author-date reset-author-date ignore-date ignore-whitespace whitespace= f,force-rebase no-ff continue skip abort quit edit-todo show-current-patch apply m,merge i,interactive preserve-merges rerere-autoupdate empty= k,keep-empty autosquash update-refs S,gpg-sign? autostash x,exec= allow-empty-message r,rebase-merges? fork-point s,strategy= X,strategy-option= root reschedule-failed-exec reapply-cherry-picks verify stat ff
git reset: q,quiet no-refresh mixed soft hard merge keep recurse-submodules? p,patch N,intent-to-add pathspec-from-file= pathspec-file-nul refresh
git clean: q,quiet n,dry-run f,force i,interactive d e,exclude= x X no-dry-run no-force
git checkout: b= B= l guess overlay q,quiet recurse-submodules? progress m,merge conflict= d,detach t,track? f,force orphan= overwrite-ignore ignore-other-worktrees 2,ours 3,theirs p,patch ignore-skip-worktree-bits pathspec-from-file= pathspec-file-nul no-guess no-overlay no-track
git switch: c,create= C,force-create= guess discard-changes q,quiet recurse-submodules? progress m,merge conflict= d,detach t,track? f,force orphan= overwrite-ignore ignore-other-worktrees no-guess no-track
git branch: v,verbose q,quiet t,track? set-upstream u,set-upstream-to= unset-upstream color? r,remotes contains= no-contains= abbrev? a,all d,delete D m,move M c,copy C l,list show-current create-reflog edit-description f,force merged? no-merged? column? sort= points-at= i,ignore-case recurse-submodules format=
git tag: n? l,list d,delete v,verify a,annotate m,message= F,file= e,edit s,sign cleanup= u,local-user= f,force create-reflog column? contains? no-contains? merged? no-merged? sort= points-at= format= color? i,ignore-case no-sign
git add: n,dry-run v,verbose i,interactive p,patch e,edit f,force u,update renormalize N,intent-to-add A,all ignore-removal refresh ignore-errors ignore-missing sparse chmod= pathspec-from-file= pathspec-file-nul no-all
git stash: a,all u,include-untracked k,keep-index p,patch q,quiet S,staged m,message=
git rm: n,dry-run q,quiet cached f,force r ignore-unmatch sparse pathspec-from-file= pathspec-file-nul
git pull: v,verbose q,quiet progress recurse-submodules? r,rebase? n stat summary log? signoff squash commit edit cleanup= ff ff-only verify verify-signatures autostash s,strategy= X,strategy-option= S,gpg-sign? allow-unrelated-histories all a,append upload-pack= f,force t,tags p,prune j,jobs? dry-run k,keep depth= shallow-since= shallow-exclude= deepen= unshallow update-shallow refmap= o,server-option= 4,ipv4 6,ipv6 negotiation-tip= show-forced-updates set-upstream no-rebase no-verify no-ff
git config: global system local worktree f,file= blob= get get-all get-regexp unset unset-all add replace-all l,list e,edit type= default= show-origin show-scope
find: -name= -iname= -path= -ipath= -wholename= -iwholename= -lname= -ilname= -regex= -iregex= -regextype= -type= -xtype= -size= -mtime= -mmin= -atime= -amin= -ctime= -cmin= -newer= -anewer= -cnewer= -perm= -user= -group= -uid= -gid= -maxdepth= -mindepth= -links= -inum= -samefile= -fstype= -used= -fprint= -fprint0= -fprintf= -fls= -delete -print -print0 -prune -exec -execdir
rm: f,force i I r,R,recursive d,dir v,verbose one-file-system preserve-root? no-preserve-root interactive?
mv: f,force i,interactive n,no-clobber t,target-directory= T,no-target-directory u,update? v,verbose b S,suffix= backup? strip-trailing-slashes
cp: a,archive f,force i,interactive n,no-clobber r,R,recursive p t,target-directory= T,no-target-directory u,update? v,verbose l,link s,symbolic-link d L,dereference P,no-dereference H S,suffix= b backup? parents preserve?
chmod: R,recursive v,verbose c,changes f,silent,quiet reference=
grep: e,regexp= f,file= A,after-context= B,before-context= C,context= m,max-count= i,ignore-case v,invert-match n,line-number r,recursive R,dereference-recursive E,extended-regexp F,fixed-strings P,perl-regexp o,only-matching w,word-regexp x,line-regexp q,quiet s,no-messages l,files-with-matches L,files-without-match c,count h,no-filename H,with-filename include= exclude= exclude-dir= color? colour?
sed: n,quiet,silent e,expression= f,file= i,in-place? E,r,regexp-extended s,separate z,null-data u,unbuffered l,line-length=
curl: X,request= H,header= d,data= data-raw= data-binary= data-urlencode= o,output= output-dir= u,user= A,user-agent= e,referer= F,form= b,cookie= c,cookie-jar= D,dump-header= x,proxy= m,max-time= T,upload-file= w,write-out= retry= connect-timeout= cacert= cert= key= resolve= K,config= E= Y= y= z= C,continue-at= r,range= k,insecure s,silent S,show-error L,location f,fail v,verbose i,include I,head O,remote-name g,globoff G,get json= url=
ssh: 4 6 A a C f G g K k M N n q s T t V v X x Y y B= b= c= D= E= e= F= I= i= J= L= l= m= O= o= P= p= Q= R= S= W= w=
psql: c,command= d,dbname= f,file= h,host= p,port= U,username= v,set,variable= o,output= L,log-file= F,field-separator= P,pset= R,record-separator= T,table-attr= A,no-align a,echo-all b,echo-errors e,echo-queries E,echo-hidden H,html l,list n,no-readline 1,single-transaction q,quiet s,single-step S,single-line t,tuples-only V,version w,no-password W,password x,expanded X,no-psqlrc z,field-separator-zero 0,record-separator-zero csv
mysql: h,host= P,port= u,user= D,database= e,execute= p,password? S,socket= B,batch f,force N,skip-column-names s,silent t,table v,verbose protocol= default-character-set= defaults-file= defaults-extra-file= ssl-ca= ssl-cert= ssl-key= ssl-mode= init-command= delimiter=
make: C,directory= f,file,makefile= j,jobs? k,keep-going n,just-print,dry-run s,silent,quiet B,always-make i,ignore-errors I,include-dir= o,old-file= W,what-if= e,environment-overrides
npm: C= prefix= w,workspace= workspaces ws registry= loglevel= s,silent g,global D,save-dev S,save E,save-exact f,force tag= otp= access= omit= include= userconfig= cache= legacy-peer-deps ignore-scripts if-present y,yes a,all dry-run no-save
pnpm: C,dir= F,filter= filter-prod= reporter= r,recursive w,workspace-root loglevel= s,silent g,global D,save-dev P,save-prod O,save-optional E,save-exact stream parallel frozen-lockfile no-frozen-lockfile ignore-scripts
cargo: color= config= Z= C= manifest-path= p,package= F,features= target= target-dir= profile= j,jobs= bin= example= test= bench= r,release q,quiet v,verbose workspace all all-features locked offline frozen token= registry= index= allow-dirty n,dry-run no-verify
docker: H,host= c,context= config= l,log-level= tlscacert= tlscert= tlskey= D,debug
docker compose: f,file= p,project-name= profile= env-file= project-directory= ansi= progress= parallel=
docker prune: a,all f,force filter= volumes
docker run: a,attach= add-host= c,cpu-shares= cpus= e,env= env-file= entrypoint= expose= g,gpus= h,hostname= l,label= link= m,memory= mount= name= network,net= p,publish= platform= pull= restart= shm-size= u,user= ulimit= v,volume= volumes-from= w,workdir= cap-add= cap-drop= device= dns= ip= ipc= log-driver= log-opt= pid= security-opt= tmpfs= d,detach i,interactive t,tty P,publish-all q,quiet rm privileged init read-only
kubectl: n,namespace= context= kubeconfig= cluster= user= s,server= token= tls-server-name= certificate-authority= client-certificate= client-key= cache-dir= username= password= as-uid= profile= profile-output= log-file= kuberc= as= as-group= request-timeout= v= f,filename= l,selector= field-selector= o,output= c,container= k,kustomize= p,patch= type= A,all-namespaces R,recursive w,watch force grace-period= dry-run? all i,stdin t,tty
helm: n,namespace= kube-context= kubeconfig= f,values= set= set-string= set-file= version= repo= timeout= o,output= i,install wait atomic debug dry-run? create-namespace
terraform: 
gh: R,repo= hostname=
gh pr: R,repo=
gh pr merge: R,repo= b,body= F,body-file= t,subject= A,author-email= match-head-commit= d,delete-branch m,merge r,rebase s,squash admin auto disable-auto
aws s3: recursive dryrun quiet force delete only-show-errors exclude= include= profile= region= output= endpoint-url=
aws: profile= region= output= endpoint-url= query= ca-bundle= cli-read-timeout= color=
tar: f,file= C,directory= T,files-from= X,exclude-from= exclude= strip-components= transform= c,create x,extract t,list v,verbose z,gzip j,bzip2 J,xz p r,append u,update
rsync: e,rsh= f,filter= exclude= include= exclude-from= include-from= files-from= T,temp-dir= B,block-size= port= password-file= bwlimit= timeout= a,archive v,verbose r,recursive z,compress n,dry-run delete,del,delete-before,delete-during,delete-delay,delete-after,delete-excluded u,update q,quiet P progress
`.matchAll(/^(.+?):(.*)$/gm),
    ([, name = "", row = ""]) => [name, row],
  ),
);

interface OptionSpec {
  names: readonly string[];
  /** `next`: the word after it, unless its own word holds one. `own`: only in its own word. */
  value: "none" | "next" | "own";
}

export interface CommandSpec {
  byName: ReadonlyMap<string, OptionSpec>;
  isNpm: boolean;
}

const parsed = new Map<string, CommandSpec>();

/** The options of a command, given by its name and subcommands; undefined if unknown. */
export function optionsOf(command: string): CommandSpec | undefined {
  const row = OPTIONS.get(command);
  if (row === undefined) return undefined;
  const known = parsed.get(command);
  if (known) return known;
  const spec = parseOptions(row, /^npm(?: |$)/.test(command));
  parsed.set(command, spec);
  return spec;
}

export function parseOptions(row: string, isNpm = false): CommandSpec {
  const byName = new Map<string, OptionSpec>();
  for (const word of row.split(" ").filter((part) => part !== "")) {
    const mark = word.at(-1);
    const value = mark === "=" ? "next" : mark === "?" ? "own" : "none";
    const names = (value === "none" ? word : word.slice(0, -1))
      .split(",")
      .map((name) => (name.startsWith("-") ? name : name.length === 1 ? `-${name}` : `--${name}`));
    const option: OptionSpec = { names, value };
    for (const name of names) byName.set(name, option);
  }
  return { byName, isNpm };
}
