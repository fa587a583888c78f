/**
 * One role a person. `heed_member`: what a person may do; `heed_admin`: owns all.
 * Roles belong to the whole server, and stay when the schema goes.
 */
const ROLES = ["heed_admin", "heed_member"]
  .map(
    (role) =>
      `do $$ begin if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if; end $$;`,
  )
  .join("\n");

const FIXED = "set search_path = heed, pg_temp";

export const SCHEMA_VERSION = 1;

/** What a server gets, in one transaction. Once it was released it is never edited: a further step follows it. */
export const SCHEMA: string = `
${ROLES}
grant heed_member to heed_admin with admin option;
grant heed_admin to current_user;
create schema heed authorization heed_admin;
set local role heed_admin;
grant usage on schema heed to heed_member;

create table heed.migration (version int primary key, applied timestamptz not null default clock_timestamp(),
  person name not null default session_user);

-- Who sees what together: one store on each machine of theirs.
create table heed.audience (
  id text primary key default substr(upper(replace(gen_random_uuid()::text, '-', '')), 1, 26),
  kind text not null check (kind in ('person', 'team', 'repository')),
  name text not null check (octet_length(name) <= 200 and name ~ '^[[:graph:]]+$'),
  head bigint not null default 0,
  -- Where its changes are told: a name that its members alone know, and another one once somebody has left.
  channel name not null default 'heed_' || replace(gen_random_uuid()::text, '-', ''),
  unique (kind, name)
);
create table heed.member (audience text not null references heed.audience on delete cascade, person name not null,
  can_write boolean not null, primary key (audience, person));
-- The files of a store as they are now.
create table heed.file (
  audience text not null references heed.audience, path text not null check (octet_length(path) <= 500 and path !~ '[\\\\:[:cntrl:]]'
    and path ~ '^(\\.tombstones/)?([^./][^/]*/)*[^./][^/]*\\.(md|markdown)$' and path !~* '(^|/)memory\\.md$'),
  content text not null check (octet_length(content) <= 1048576),
  hash text not null,
  primary key (audience, path)
);
-- Each change that ever was, in the order in which it was made in its audience: what machines follow, and the audit.
create table heed.log (
  audience text not null references heed.audience, seq bigint not null, path text not null,
  time timestamptz not null default clock_timestamp(),
  person name not null default session_user,
  change text not null, actor jsonb, why text not null, after text,
  primary key (audience, seq, path)
);

-- A person is who logged in: SET ROLE and SECURITY DEFINER change nothing about it.
create function heed.audiences(to_write boolean default false) returns setof text
  language sql stable security definer ${FIXED} as
  $$ select audience from member where person = session_user and (can_write or not to_write) $$;

do $$ declare part text; begin
  foreach part in array array['audience', 'member', 'file', 'log'] loop
    execute format('alter table heed.%1$I enable row level security, force row level security', part);
  end loop;
end $$;
create policy administer on heed.audience to heed_admin using (true) with check (true);
create policy administer on heed.member to heed_admin using (true) with check (true);
create policy see on heed.audience for select to heed_member using (id in (select heed.audiences()));
create policy see on heed.member for select to heed_member using (person = session_user);
create policy see on heed.file for select to heed_member using (audience in (select heed.audiences()));
create policy add on heed.file for insert to heed_member with check (audience in (select heed.audiences(true)));
create policy edit on heed.file for update to heed_member
  using (audience in (select heed.audiences(true))) with check (audience in (select heed.audiences(true)));
create policy remove on heed.file for delete to heed_member using (audience in (select heed.audiences(true)));
create policy see on heed.log for select to heed_member using (audience in (select heed.audiences()));
create policy append on heed.log for insert to heed_admin with check (true);

-- Whether an administrator takes a secret out, now.
create function heed.redacts() returns boolean language sql stable ${FIXED} as
  $$ select current_setting('heed.redacting', true) = 'yes' and pg_has_role(session_user, 'heed_admin', 'member') $$;
create policy redact on heed.file to heed_admin using (heed.redacts()) with check (heed.redacts());
create policy redact on heed.log to heed_admin using (heed.redacts()) with check (heed.redacts());

-- Writers of an audience take turns, so that the order of the log is the order in which changes can be seen.
create function heed.take_turn(of_audience text) returns bigint
  language plpgsql security definer ${FIXED} as $$
declare last bigint; begin
  if of_audience not in (select audiences(true)) and not redacts() then
    raise exception 'you may not write to this audience' using errcode = '42501';
  end if;
  update audience set head = head + 1 where id = of_audience returning head into last;
  return last;
end $$;

create function heed.record_change() returns trigger language plpgsql security definer ${FIXED} as $$
declare
  change text := coalesce(nullif(current_setting('heed.change', true), ''), '');
  actor jsonb := nullif(current_setting('heed.actor', true), '')::jsonb;
  why text := coalesce(nullif(current_setting('heed.why', true), ''), 'changed by SQL');
  at record;
begin
  for at in select audience, take_turn(audience) as seq from (select distinct audience from touched) of_these loop
    insert into log (audience, seq, path, change, actor, why, after)
      select audience, at.seq, path, change, actor, why, case when tg_op <> 'DELETE' then content end
      from touched where audience = at.audience;
    perform pg_notify(channel, at.seq::text) from audience where id = at.audience;
  end loop;
  return null;
end $$;
create trigger record_insert after insert on heed.file referencing new table as touched
  for each statement execute function heed.record_change();
create trigger record_update after update on heed.file referencing new table as touched
  for each statement execute function heed.record_change();
create trigger record_delete after delete on heed.file referencing old table as touched
  for each statement execute function heed.record_change();

create function heed.refuse_change() returns trigger language plpgsql ${FIXED} as $$
begin
  if tg_op = 'UPDATE' and heed.redacts() then return null; end if;
  raise exception '% of heed.%: it is only added to', tg_op, tg_table_name using errcode = '42501';
end $$;
create trigger only_added_to before update or delete or truncate on heed.log
  for each statement execute function heed.refuse_change();
create trigger not_emptied before truncate on heed.file for each statement execute function heed.refuse_change();
-- A moved file is a removed one and a new one: the log knows no other.
create function heed.check_file() returns trigger language plpgsql ${FIXED} as $$
begin
  if tg_op = 'UPDATE' and (new.audience, new.path) is distinct from (old.audience, old.path) then
    raise exception 'a file keeps its audience and path: delete it and insert it again' using errcode = '42501';
  end if;
  new.hash := encode(sha256(convert_to(new.content, 'UTF8')), 'hex');
  return new;
end $$;
create trigger check_file before insert or update on heed.file for each row execute function heed.check_file();

-- One change of several files: all of it, or a conflict (HE409, with the path as detail).
create function heed.push(of_audience text, change text, actor jsonb, why text, files jsonb) returns bigint
  language plpgsql ${FIXED} as $$
declare stale text; begin
  perform take_turn(of_audience);
  perform set_config('heed.change', change, true), set_config('heed.actor', actor::text, true), set_config('heed.why', why, true);
  delete from file using jsonb_to_recordset(files) as given(path text, before text, after text)
    where file.audience = of_audience and file.path = given.path and file.hash = given.before and given.after is null;
  update file set content = given.after from jsonb_to_recordset(files) as given(path text, before text, after text)
    where file.audience = of_audience and file.path = given.path and file.hash = given.before and given.after is not null;
  insert into file (audience, path, content)
    select of_audience, path, after from jsonb_to_recordset(files) as given(path text, before text, after text)
    where before is null and after is not null on conflict do nothing;
  select given.path into stale
    from jsonb_to_recordset(files) as given(path text, after text)
    left join file now on now.audience = of_audience and now.path = given.path
    where now.content is distinct from given.after limit 1;
  if found then
    raise exception 'changed by somebody else' using errcode = 'HE409', detail = stale;
  end if;
  perform set_config('heed.change', '', true), set_config('heed.actor', '', true), set_config('heed.why', '', true);
  return (select head from audience where id = of_audience);
end $$;

create function heed.admit(to_admit name, of_kind text, called text, to_write boolean default true) returns text
  language plpgsql security definer ${FIXED} as $$
declare found_id text; begin
  insert into audience (kind, name) values (of_kind, called) on conflict (kind, name) do nothing;
  select id into found_id from audience where kind = of_kind and name = called;
  insert into member values (found_id, to_admit, to_write)
    on conflict (audience, person) do update set can_write = excluded.can_write;
  execute format('grant heed_member to %I', to_admit);
  return found_id;
end $$;
create function heed.dismiss(to_dismiss name, of_kind text, called text) returns boolean
  language plpgsql security definer ${FIXED} as $$
begin
  delete from member using audience where audience.id = member.audience and kind = of_kind and audience.name = called
    and person = to_dismiss;
  if not found then return false; end if;
  -- The others look for the new name once they are told.
  perform pg_notify(channel, '') from audience where kind = of_kind and audience.name = called;
  update audience set channel = default where kind = of_kind and audience.name = called;
  return true;
end $$;

-- Takes a secret out of all files and all of the log; that it was done is logged, of the files.
create function heed.redact(secret text) returns bigint language plpgsql security definer ${FIXED} as $$
declare redacted bigint; begin
  if length(secret) < 6 then raise exception 'too short to be told from other text' using errcode = '22023'; end if;
  perform set_config('heed.redacting', 'yes', true), set_config('heed.why', 'a secret was taken out', true);
  update file set content = replace(content, secret, '[redacted]') where position(secret in content) > 0;
  get diagnostics redacted = row_count;
  update log set after = replace(after, secret, '[redacted]'), why = replace(why, secret, '[redacted]')
    where position(secret in after) > 0 or position(secret in why) > 0;
  perform set_config('heed.redacting', '', true), set_config('heed.why', '', true);
  return redacted;
end $$;

revoke execute on all functions in schema heed from public;
grant execute on function heed.audiences, heed.redacts, heed.take_turn, heed.push to heed_member;
grant select on heed.audience, heed.member, heed.log, heed.migration to heed_member;
grant select, insert, update, delete on heed.file to heed_member;
reset role;
insert into heed.migration (version) values (${SCHEMA_VERSION});
`;
