"""The operations on people and groups of the shares."""

from __future__ import annotations

from typing import Any

from jobs.operation import Operation
from jobs.wording import Wording, at
from shares.following import READS as SERVED
from shares.links import GROUP_PAGE, OPEN_GROUP, OPEN_PERSON, PERSON_PAGE
from shares.people import (
    change_group,
    change_person,
    create_group,
    create_person,
    delete_group,
    delete_person,
    set_password,
)

OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="person.create",
        request=create_person.CreatePerson,
        plan=create_person.plan,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        wording=Wording(
            title="Create {name}", page=at("New person", "/create/person/"), result=OPEN_PERSON, editable=True
        ),
    ),
    Operation(
        name="person.change",
        request=change_person.ChangeOnePerson,
        plan=change_person.plan,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        wording=Wording(title="Change {name}", page=PERSON_PAGE, result=OPEN_PERSON),
    ),
    Operation(
        name="person.password",
        request=set_password.SetPassword,
        plan=set_password.plan,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        wording=Wording(title="Set password of {name}", page=PERSON_PAGE, result=OPEN_PERSON),
    ),
    Operation(
        name="person.delete",
        request=delete_person.DeletePerson,
        plan=delete_person.plan,
        scope="shares:write",
        effect="destroys",
        facts=SERVED,
        remember=delete_person.remember,
        wording=Wording(title="Delete {name}", page=PERSON_PAGE, result=at("People and groups", "/people/")),
    ),
    Operation(
        name="group.create",
        request=create_group.CreateGroup,
        plan=create_group.plan,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        wording=Wording(
            title="Create the group {name}",
            page=at("New group", "/create/group/"),
            result=OPEN_GROUP,
            editable=True,
        ),
    ),
    Operation(
        name="group.change",
        request=change_group.ChangeGroup,
        plan=change_group.plan,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        wording=Wording(title="Change members of {name}", page=GROUP_PAGE, result=OPEN_GROUP),
    ),
    Operation(
        name="group.delete",
        request=delete_group.DeleteGroup,
        plan=delete_group.plan,
        scope="shares:write",
        effect="destroys",
        facts=SERVED,
        remember=delete_group.remember,
        wording=Wording(
            title="Delete the group {name}", page=GROUP_PAGE, result=at("People and groups", "/people/")
        ),
    ),
)
