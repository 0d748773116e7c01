import { type DeclarationTable, readDeclarations } from './declaration.ts';

/**
 * Every program that may run without approval, and its allowed arguments. One line each:
 *
 *     name options :: words
 *
 *     -abc    flags                 -n=kind   with a value, attached or next word     -n?=kind  attached only
 *                                   -n+=kind  with a value in the next word
 *     --name  long, no abbreviation --name=kind                                       --name?=kind  after `=` only
 *     -NUM    as in `head -20`      PERMUTES  options may follow words on every system
 *     SINGLE  letters cannot be combined in one word
 *     ONE     exactly one word, because the program does something else without any; no project file may select the
 *             version that is started (`project-files.ts`)
 *     words   kinds with * + ?; kind(-e) is omitted when -e is given; @x is a check in code; COMMAND starts another
 *
 * Not declared: options that follow links out of the project (`grep -R`, `rg -L`, `find -L`, `tree -l`, directories
 * of `diff`), that write, that read lists of names from files, or that start programs. Undeclared options need approval.
 */
const PROGRAMS = `
cat       -AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting :: path*
head      -NUM -qvz -n=count -c=count --lines=count --bytes=count --quiet --silent --verbose --zero-terminated :: path*
tail      -NUM -qvz -n=count -c=count --lines=count --bytes=count --quiet --silent --verbose --zero-terminated :: path*
wc        -clmwL --bytes --chars --lines --words --max-line-length :: path*
ls        -aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1 --all --almost-all --color?=word --directory --classify?=word --human-readable --inode --reverse --recursive --size --si --numeric-uid-gid --no-group --group-directories-first --full-time --sort=word --time=word --time-style=text --ignore=glob :: path*
grep      -NUM -EFGPivwxcoqshHnbTzZLlraIyU -e=pat -m=num -A=num -B=num -C=num --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --only-matching --quiet --silent --no-messages --no-filename --with-filename --line-number --byte-offset --null --null-data --files-without-match --files-with-matches --recursive --text --regexp=pat --max-count=num --after-context=num --before-context=num --context=num --include=glob --exclude=glob --exclude-dir=glob --color?=word --colour?=word --binary-files=word --line-buffered :: pat(-e --regexp) path*
egrep     = grep
fgrep     = grep
rg        PERMUTES -NUM -iSsvwxclnNoqHIFPUup0. -e=pat -m=num -A=num -B=num -C=num -g=glob -t=word -T=word -j=num -d=num -r=text -M=num --ignore-case --smart-case --case-sensitive --invert-match --word-regexp --line-regexp --count --count-matches --files-with-matches --files-without-match --line-number --no-line-number --only-matching --quiet --with-filename --no-filename --fixed-strings --pcre2 --multiline --multiline-dotall --hidden --no-ignore --no-ignore-vcs --unrestricted --files --type-list --heading --no-heading --column --stats --json --trim --vimgrep --no-messages --null --text --passthru --crlf --regexp=pat --max-count=num --after-context=num --before-context=num --context=num --glob=glob --iglob=glob --type=word --type-not=word --threads=num --max-depth=num --replace=text --max-columns=num --max-filesize=word --color=word --sort=word --sortr=word --no-config --engine=word --context-separator=text --glob-case-insensitive :: pat(-e --regexp --files --type-list) path*
find      :: @find
fd        PERMUTES -HIsiagFpl01q -d=num -t=word -e=word -E=glob -c=word -S=word --hidden --no-ignore --case-sensitive --ignore-case --absolute-path --glob --fixed-strings --full-path --list-details --print0 --max-depth=num --min-depth=num --type=word --extension=word --exclude=glob --color=word --size=word --changed-within=word --changed-before=word --max-results=num :: pat? path*
sed       -nErsuz -e=sed --quiet --silent --regexp-extended --separate --expression=sed :: sed(-e --expression) path*
awk       -F=text -v=assign :: awk path*
gawk      = awk
mawk      = awk
jq        -rjacCMSesRn --raw-output --join-output --compact-output --color-output --monochrome-output --sort-keys --exit-status --slurp --raw-input --null-input --tab --indent=num :: jq path*
sort      -bdfgiMhnRrVcCmsuz -k=key -t=text --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --check?=word --merge --stable --unique --zero-terminated --key=key --field-separator=text :: path*
uniq      -cdDiuz -f=num -s=num -w=num --count --repeated --ignore-case --unique --zero-terminated --skip-fields=num --skip-chars=num --check-chars=num :: path?
cut       -nsz -b=list -c=list -d=text -f=list --bytes=list --characters=list --delimiter=text --fields=list --complement --only-delimited --output-delimiter=text --zero-terminated :: path*
tr        -cCdst --complement --delete --squeeze-repeats --truncate-set1 :: text text?
diff      -NUM -qsuwBbiyNaEZtTpd -U=num -C=num -W=num -I=pat --brief --report-identical-files --unified?=num --context?=num --side-by-side --suppress-common-lines --width=num --left-column --ignore-all-space --ignore-blank-lines --ignore-space-change --ignore-case --new-file --text --color?=word --ignore-matching-lines=pat --strip-trailing-cr --minimal --normal :: file file
cmp       -bls -n=num --print-bytes --verbose --quiet --silent --bytes=num :: path path?
comm      -123z --check-order --nocheck-order --output-delimiter=text --total --zero-terminated :: path path
paste     -sz -d=text --delimiters=text --serial --zero-terminated :: path*
column    -tex -s=text -c=num -N=text -o=text --table --separator=text --output-separator=text --table-columns=text :: path*
nl        -p -b=word -n=word -w=num -s=text -v=num -i=num --body-numbering=word --number-format=word --number-width=num --number-separator=text --starting-line-number=num :: path*
tac       -b -s=text --separator=text --before :: path*
rev       :: path*
fold      -bs -w=num --bytes --spaces --width=num :: path*
od        -bcdfilosxv -A=word -j=num -N=num -t=word --address-radix=word --skip-bytes=num --read-bytes=num --format=word --output-duplicates :: path*
hexdump   -bcCdoxv -n=num -s=num --canonical --length=num --skip=num :: path*
xxd       SINGLE -abeiup -c=num -g=num -l=num -s=num :: path
strings   -adfw -n=num -t=word --all --data --print-file-name --bytes=num --radix=word :: path*
file      -biLhk0N --brief --mime --mime-type --mime-encoding --dereference --no-dereference --keep-going :: path+
stat      -Lft -c=text --dereference --file-system --format=text --printf=text --terse :: path+
du        -abchklmsSx0 -d=num --all --apparent-size --bytes --total --human-readable --max-depth=num --summarize --si --separate-dirs --one-file-system --exclude=glob :: path*
df        -ahHiklPT --all --human-readable --si --inodes --portability --print-type --total :: path*
md5sum    -btz --binary --text --tag :: path*
sha1sum   = md5sum
sha256sum = md5sum
sha512sum = md5sum
cksum     :: path*
shasum    -b -a=num :: path*
realpath  -emsLPqz --canonicalize-existing --canonicalize-missing --relative-to=path --relative-base=path --no-symlinks --strip :: path+
readlink  -femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline :: path+
basename  -az -s=text --multiple --suffix=text :: text text*
dirname   -z :: text+
tree      -adfipsughDFqNQrtUC -L+=num -I+=glob -P+=glob --noreport --dirsfirst --filelimit=num --gitignore --du --prune --charset=word --sort?=word :: path*
base64    -di -w=num --decode --ignore-garbage --wrap=num :: path?
date      -uR -I?=word -d=text --date=text --utc --universal --rfc-email --iso-8601?=word --rfc-3339=word :: fmt?
seq       -w -f=numfmt -s=text --format=numfmt --separator=text --equal-width :: num num? num?
sleep     :: num
echo      :: any*
printf    :: @printf
test      :: @test
[         :: @test
pwd       -LP ::
true      ::
false     ::
:         ::
exit      :: num?
whoami    ::
id        -ugnGr --user --group --groups --name --real ::
uname     -asnrvmpio --all --kernel-name --nodename --kernel-release --machine --processor --operating-system ::
hostname  ::
nproc     --all ::
uptime    -p --pretty ::
arch      ::
tty       -s ::
which     -a :: word+
type      -atpP :: word+
set       :: @set
cal       -13jmsy :: num? num?
free      -bkmgh ::
node      ONE --version -v ::
npm       ONE --version -v ::
npx       ONE --version ::
pnpm      ONE --version -v ::
yarn      ONE --version ::
bun       ONE --version ::
deno      ONE --version -V ::
tsc       ONE --version -v ::
python    ONE --version -V ::
python3   ONE --version -V ::
pip       ONE --version -V ::
pip3      ONE --version -V ::
go        :: @go
cargo     ONE --version -V ::
rustc     ONE --version -V ::
java      ONE --version ::
ruby      ONE --version -v ::
gcc       ONE --version ::
make      ONE --version ::
docker    ONE --version -v ::
git       :: @git
command   :: @command
timeout   -v -k=num -s=word --kill-after=num --signal=word --foreground --preserve-status --verbose :: num COMMAND
nice      -n=num --adjustment=num :: COMMAND
env       :: COMMAND
stdbuf    -i=word -o=word -e=word --input=word --output=word --error=word :: COMMAND
`;

let read: DeclarationTable | undefined;

/** Parsed with the first command. */
export function programDeclarations(): DeclarationTable {
  read ??= readDeclarations(PROGRAMS);
  return read;
}
