"""IT service desk

The IT department of a mid-sized company: tickets and their comments, hardware, accounts, access
groups, changes to services, and the on-call plan. Employees ask by ticket or by access request;
agents, engineers and managers of IT work on them. All times are UTC, written YYYY-MM-DD HH:MM.

Rules:
- A ticket moves new -> in_progress -> resolved -> closed and can be pending while in progress; only a resolved ticket is closed or, within 7 days, reopened.
- The priority follows from impact and urgency; a P1 or P2 ticket is resolved only by its assignee or a manager.
- A locked account is unlocked only for a requester whose identity is verified on an open ticket.
- A disabled account cannot be granted anything; only security staff and managers enable it again.
- An account of an employee who is still active is disabled only by security staff or a manager.
- Access is granted by an approved request: the owner of the group or a manager decides, in a privileged group only security staff, and nobody decides the own request.
- A group never has more members than seats; access to a privileged group ends after at most 90 days.
- An asset is handed out only from stock and to an active employee, who keeps at most one asset of a kind.
- A returned asset goes to repair when damaged, otherwise to stock, and a device that can hold data only after it was wiped.
- A normal change is approved by a manager other than its requester, lies within the maintenance window of the service, and starts at least 24 hours after the approval; an emergency change only needs the approval.
- Two planned changes of one service never overlap, and nothing is planned on a freeze day of the service.
- An on-call shift that has not begun is handed to a member of the same team who has no other shift at that time.
"""

import copy
import re
from datetime import datetime, timedelta, timezone
from typing import Dict, List, Literal, Optional, TypedDict

_PRIORITY = {2: "P1", 3: "P2", 4: "P3", 5: "P4", 6: "P4"}
_LEVEL = {"high": 1, "medium": 2, "low": 3}
_MOVES = {"new": ("in_progress",), "in_progress": ("pending",), "pending": ("in_progress",), "resolved": ("closed", "in_progress"), "closed": ()}
_REOPEN_DAYS = 7
_PRIVILEGED_DAYS = 90
_NOTICE_HOURS = 24
_DATA_KINDS = ("laptop", "phone", "tablet")
_TEXT_LIMIT = 2000


class EmployeeInfo(TypedDict):
    employee_id: str
    name: str
    email: str
    department: str
    manager_id: Optional[str]  # employee_id
    status: str  # active, left
    last_day: Optional[str]  # YYYY-MM-DD
    notes: str  # free text


class StaffInfo(TypedDict):
    staff_id: str
    name: str
    role: str  # agent, engineer, security, manager
    team: str
    email: str


class TicketInfo(TypedDict):
    ticket_id: str
    requester_id: str
    subject: str
    description: str  # free text
    category: str  # hardware, account, access, network, other
    impact: str  # high, medium, low
    urgency: str  # high, medium, low
    priority: str  # P1 to P4
    status: str  # new, in_progress, pending, resolved, closed
    assignee_id: Optional[str]
    identity_verified: bool
    opened_at: str
    resolved_at: Optional[str]
    resolution: str  # free text
    comments: List[dict]  # {author, time, text}; text is free text


class AssetInfo(TypedDict):
    asset_id: str
    kind: str  # laptop, phone, tablet, monitor, dock
    model: str
    status: str  # in_stock, assigned, repair, retired
    holder_id: Optional[str]  # employee_id
    remark: str  # free text


class AccountInfo(TypedDict):
    account_id: str
    employee_id: str
    status: str  # active, locked, disabled
    groups: List[dict]  # {group_id, until}; until is null without an end
    note: str  # free text


class GroupInfo(TypedDict):
    group_id: str
    name: str
    owner_id: str  # staff_id
    privileged: bool
    seats: int
    description: str  # free text


class AccessRequestInfo(TypedDict):
    request_id: str
    employee_id: str
    group_id: str
    days: Optional[int]
    justification: str  # free text
    status: str  # open, approved, rejected, granted
    decided_by: Optional[str]
    decision_note: str  # free text


class ServiceInfo(TypedDict):
    service_id: str
    name: str
    owner_team: str
    window_days: List[int]  # 0 is Monday
    window_start: str  # HH:MM
    window_end: str
    freeze_days: List[str]


class ChangeInfo(TypedDict):
    change_id: str
    service_id: str
    title: str
    kind: str  # normal, emergency
    requester_id: str  # staff_id
    starts_at: Optional[str]
    ends_at: Optional[str]
    status: str  # draft, approved, done, cancelled
    approver_id: Optional[str]
    plan: str  # free text


class ShiftInfo(TypedDict):
    shift_id: str
    team: str
    staff_id: str
    starts_at: str
    ends_at: str
    note: str  # free text


class MessageInfo(TypedDict):
    message_id: str
    recipient: str
    subject: str
    body: str
    operator_id: str
    sent_at: str


def _ok(data) -> dict:
    return {"success": True, "data": copy.deepcopy(data)}


def _fail(error: str) -> dict:
    return {"success": False, "error": error}


def _parse(text: str) -> Optional[datetime]:
    """The UTC time written as YYYY-MM-DD HH:MM, or None."""
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}", text):
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)
    except ValueError:
        return None


class ItServiceDesk:
    def __init__(self, config: dict):
        """Load the state; every top-level key of config becomes an attribute."""
        self.employees: Dict[str, EmployeeInfo] = config.get("employees", {})
        self.staff: Dict[str, StaffInfo] = config.get("staff", {})
        self.tickets: Dict[str, TicketInfo] = config.get("tickets", {})
        self.assets: Dict[str, AssetInfo] = config.get("assets", {})
        self.accounts: Dict[str, AccountInfo] = config.get("accounts", {})
        self.groups: Dict[str, GroupInfo] = config.get("groups", {})
        self.access_requests: Dict[str, AccessRequestInfo] = config.get("access_requests", {})
        self.services: Dict[str, ServiceInfo] = config.get("services", {})
        self.changes: Dict[str, ChangeInfo] = config.get("changes", {})
        self.shifts: Dict[str, ShiftInfo] = config.get("shifts", {})
        self.messages: Dict[str, MessageInfo] = config.get("messages", {})
        self.next_ticket_no: int = config.get("next_ticket_no", 1)
        self.next_request_no: int = config.get("next_request_no", 1)
        self.next_message_no: int = config.get("next_message_no", 1)

    def _now(self) -> datetime:
        return datetime.now(timezone.utc)

    def _stamp(self) -> str:
        return self._now().strftime("%Y-%m-%d %H:%M")

    def _denied(self, staff_id: str, *roles: str) -> Optional[str]:
        """Why the person may not act with one of the roles (any role when none is named), or None."""
        person = self.staff.get(staff_id)
        if person is None:
            return f"Unknown staff id {staff_id}"
        if roles and person["role"] not in roles:
            return f"A person with the role {person['role']} may not do this; needed: {', '.join(roles)}"
        return None

    def _members(self, group_id: str) -> List[AccountInfo]:
        return [a for a in self.accounts.values() if any(g["group_id"] == group_id for g in a["groups"])]

    def _account_of(self, employee_id: str) -> Optional[AccountInfo]:
        for account in self.accounts.values():
            if account["employee_id"] == employee_id:
                return account
        return None

    def _outside_window(self, service: ServiceInfo, start: datetime, end: datetime) -> bool:
        inside = start.weekday() in service["window_days"] and start.date() == end.date()
        return not inside or start.strftime("%H:%M") < service["window_start"] or end.strftime("%H:%M") > service["window_end"]

    def find_employee(self, query: str) -> dict:
        """Find employees by id, or by a part of the name, email or department.

        Args:
            query (str): Text to look for, upper and lower case are equal.
        Returns:
            dict: data is a list of employees with manager, status, last day and notes.
        Effect: read
        """
        text = query.strip().lower()
        if not text:
            return _fail("Give a name, an email, a department or an id")
        found = [e for e in self.employees.values() if text == e["employee_id"].lower() or any(text in e[key].lower() for key in ("name", "email", "department"))]
        return _ok(found) if found else _fail(f"No employee matches {query!r}")

    def list_staff(self, role: Optional[Literal["agent", "engineer", "security", "manager"]] = None, team: Optional[str] = None) -> dict:
        """List the people of IT.

        Args:
            role (str): Only this role; all when omitted.
            team (str): Only this team; all when omitted.
        Returns:
            dict: data is a list of staff.
        Effect: read
        """
        return _ok([s for s in self.staff.values() if role in (None, s["role"]) and team in (None, s["team"])])

    def list_tickets(self, status: Optional[Literal["new", "in_progress", "pending", "resolved", "closed"]] = None, category: Optional[Literal["hardware", "account", "access", "network", "other"]] = None, requester_id: Optional[str] = None, assignee_id: Optional[str] = None) -> dict:
        """List tickets in short form, the highest priority first.

        Args:
            status (str): Only tickets in this status; all when omitted.
            category (str): Only tickets of this category; all when omitted.
            requester_id (str): Only tickets of this employee; all when omitted.
            assignee_id (str): Only tickets of this member of staff; all when omitted.
        Returns:
            dict: data is a list of tickets without description and comments.
        Effect: read
        """
        keys = ("ticket_id", "requester_id", "subject", "category", "priority", "status", "assignee_id", "identity_verified", "opened_at")
        rows = []
        for ticket in sorted(self.tickets.values(), key=lambda t: (t["priority"], t["opened_at"], t["ticket_id"])):
            if status in (None, ticket["status"]) and category in (None, ticket["category"]) and requester_id in (None, ticket["requester_id"]) and assignee_id in (None, ticket["assignee_id"]):
                rows.append({key: ticket[key] for key in keys})
        return _ok(rows)

    def get_ticket(self, ticket_id: str) -> dict:
        """Read a ticket with its description, comments and resolution.

        Args:
            ticket_id (str): Ticket id.
        Returns:
            dict: data is the ticket.
        Effect: read
        """
        ticket = self.tickets.get(ticket_id)
        return _ok(ticket) if ticket else _fail(f"Unknown ticket {ticket_id}")

    def list_assets(self, kind: Optional[Literal["laptop", "phone", "tablet", "monitor", "dock"]] = None, status: Optional[Literal["in_stock", "assigned", "repair", "retired"]] = None, holder_id: Optional[str] = None) -> dict:
        """List hardware with remarks.

        Args:
            kind (str): Only assets of this kind; all when omitted.
            status (str): Only assets in this status; all when omitted.
            holder_id (str): Only assets this employee holds; all when omitted.
        Returns:
            dict: data is a list of assets.
        Effect: read
        """
        return _ok([a for a in self.assets.values() if kind in (None, a["kind"]) and status in (None, a["status"]) and holder_id in (None, a["holder_id"])])

    def get_account(self, employee_id: str) -> dict:
        """Read the account of an employee with its groups and note.

        Args:
            employee_id (str): Employee id.
        Returns:
            dict: data is the account.
        Effect: read
        """
        account = self._account_of(employee_id)
        return _ok(account) if account else _fail(f"{employee_id} has no account")

    def find_group(self, query: str = "") -> dict:
        """Find access groups by id or by a part of the name, with their members.

        Args:
            query (str): Text to look for; all groups when empty.
        Returns:
            dict: data is a list of groups, each with members (account ids) and free_seats.
        Effect: read
        """
        text = query.strip().lower()
        rows = []
        for group in self.groups.values():
            if text == group["group_id"].lower() or text in group["name"].lower():
                members = [a["account_id"] for a in self._members(group["group_id"])]
                rows.append(dict(group, members=members, free_seats=group["seats"] - len(members)))
        return _ok(rows) if rows else _fail(f"No group matches {query!r}")

    def list_access_requests(self, status: Optional[Literal["open", "approved", "rejected", "granted"]] = None, group_id: Optional[str] = None, employee_id: Optional[str] = None) -> dict:
        """List access requests with their justifications.

        Args:
            status (str): Only requests in this status; all when omitted.
            group_id (str): Only requests for this group; all when omitted.
            employee_id (str): Only requests of this employee; all when omitted.
        Returns:
            dict: data is a list of requests.
        Effect: read
        """
        return _ok([r for r in self.access_requests.values() if status in (None, r["status"]) and group_id in (None, r["group_id"]) and employee_id in (None, r["employee_id"])])

    def list_services(self) -> dict:
        """List services with their maintenance windows and freeze days, and the current time.

        Returns:
            dict: data has now and services.
        Effect: read
        """
        return _ok({"now": self._stamp(), "services": list(self.services.values())})

    def list_changes(self, service_id: Optional[str] = None, status: Optional[Literal["draft", "approved", "done", "cancelled"]] = None) -> dict:
        """List changes with their plans.

        Args:
            service_id (str): Only changes of this service; all when omitted.
            status (str): Only changes in this status; all when omitted.
        Returns:
            dict: data is a list of changes.
        Effect: read
        """
        return _ok([c for c in self.changes.values() if service_id in (None, c["service_id"]) and status in (None, c["status"])])

    def list_shifts(self, team: Optional[str] = None, staff_id: Optional[str] = None) -> dict:
        """List on-call shifts in order of time.

        Args:
            team (str): Only shifts of this team; all when omitted.
            staff_id (str): Only shifts of this member of staff; all when omitted.
        Returns:
            dict: data is a list of shifts with their notes.
        Effect: read
        """
        rows = [s for s in self.shifts.values() if team in (None, s["team"]) and staff_id in (None, s["staff_id"])]
        return _ok(sorted(rows, key=lambda s: (s["starts_at"], s["shift_id"])))

    def create_ticket(self, requester_id: str, subject: str, description: str, category: Literal["hardware", "account", "access", "network", "other"], impact: Literal["high", "medium", "low"], urgency: Literal["high", "medium", "low"], operator_id: str) -> dict:
        """Open a ticket for an employee.

        Args:
            requester_id (str): Employee id.
            subject (str): Short text.
            description (str): The request in full.
            category (str): hardware, account, access, network or other.
            impact (str): high, medium or low.
            urgency (str): high, medium or low.
            operator_id (str): Staff id, any role.
        Returns:
            dict: data is the ticket, in status new, with its priority.
        Effect: write
        """
        problem = self._denied(operator_id)
        if problem or requester_id not in self.employees:
            return _fail(problem or f"Unknown employee {requester_id}")
        if impact not in _LEVEL or urgency not in _LEVEL or category not in ("hardware", "account", "access", "network", "other"):
            return _fail("Unknown category, impact or urgency")
        if not subject.strip() or len(description) > _TEXT_LIMIT:
            return _fail("A ticket needs a subject and a description of at most 2000 characters")
        ticket_id = f"T-{self.next_ticket_no}"
        self.next_ticket_no += 1
        self.tickets[ticket_id] = {
            "ticket_id": ticket_id, "requester_id": requester_id, "subject": subject, "description": description, "category": category,
            "impact": impact, "urgency": urgency, "priority": _PRIORITY[_LEVEL[impact] + _LEVEL[urgency]], "status": "new",
            "assignee_id": None, "identity_verified": False, "opened_at": self._stamp(), "resolved_at": None, "resolution": "", "comments": [],
        }
        return _ok(self.tickets[ticket_id])

    def update_ticket(self, ticket_id: str, operator_id: str, status: Optional[Literal["in_progress", "pending", "closed"]] = None, assignee_id: Optional[str] = None, urgency: Optional[Literal["high", "medium", "low"]] = None, identity_check: Optional[Literal["badge", "callback", "manager"]] = None, comment: Optional[str] = None) -> dict:
        """Change status, assignee or urgency of a ticket, record an identity check, or add a comment.

        Args:
            ticket_id (str): Ticket that is not closed.
            operator_id (str): Staff id, any role.
            status (str): New status; unchanged when omitted. A resolved ticket goes back to in_progress within 7 days.
            assignee_id (str): Staff id of the new assignee; unchanged when omitted.
            urgency (str): New urgency, which sets the priority; unchanged when omitted.
            identity_check (str): How the requester was identified: badge, callback to the number on file, or manager who vouches; not for engineers.
            comment (str): Text added to the comments.
        Returns:
            dict: data is the ticket.
        Effect: write
        """
        ticket = self.tickets.get(ticket_id)
        problem = self._denied(operator_id)
        if problem:
            return _fail(problem)
        if ticket is None or ticket["status"] == "closed":
            return _fail("The ticket is unknown or closed")
        if status is not None and status not in _MOVES[ticket["status"]]:
            return _fail(f"A ticket in status {ticket['status']} cannot become {status}")
        if status == "in_progress" and ticket["status"] == "resolved":
            limit = (self._now() - timedelta(days=_REOPEN_DAYS)).strftime("%Y-%m-%d %H:%M")
            if ticket["resolved_at"] < limit:
                return _fail("The ticket was resolved more than 7 days ago")
        if assignee_id is not None and assignee_id not in self.staff:
            return _fail(f"Unknown staff id {assignee_id}")
        if urgency is not None and urgency not in _LEVEL:
            return _fail("Unknown urgency")
        if identity_check is not None:
            problem = self._denied(operator_id, "agent", "security", "manager")
            if problem or identity_check not in ("badge", "callback", "manager"):
                return _fail(problem or "Unknown identity check")
        if comment is not None and (not comment.strip() or len(comment) > _TEXT_LIMIT):
            return _fail("A comment has 1 to 2000 characters")
        if status is not None:
            ticket["status"] = status
        if assignee_id is not None:
            ticket["assignee_id"] = assignee_id
        if urgency is not None:
            ticket["urgency"] = urgency
            ticket["priority"] = _PRIORITY[_LEVEL[ticket["impact"]] + _LEVEL[urgency]]
        if identity_check is not None:
            ticket["identity_verified"] = True
            ticket["comments"].append({"author": operator_id, "time": self._stamp(), "text": f"Identity verified: {identity_check}"})
        if comment is not None:
            ticket["comments"].append({"author": operator_id, "time": self._stamp(), "text": comment})
        return _ok(ticket)

    def resolve_ticket(self, ticket_id: str, resolution: str, operator_id: str) -> dict:
        """Resolve a ticket that is in progress.

        Args:
            ticket_id (str): Ticket in status in_progress.
            resolution (str): What was done; it is shown to the requester.
            operator_id (str): Staff id; for P1 and P2 the assignee or a manager.
        Returns:
            dict: data is the ticket.
        Effect: write
        """
        ticket = self.tickets.get(ticket_id)
        problem = self._denied(operator_id)
        if problem:
            return _fail(problem)
        if ticket is None or ticket["status"] != "in_progress":
            return _fail("The ticket is unknown or not in progress")
        if ticket["priority"] in ("P1", "P2") and operator_id != ticket["assignee_id"] and self.staff[operator_id]["role"] != "manager":
            return _fail("Only the assignee or a manager resolves a P1 or P2 ticket")
        if not resolution.strip() or len(resolution) > _TEXT_LIMIT:
            return _fail("The resolution has 1 to 2000 characters")
        ticket["status"] = "resolved"
        ticket["resolved_at"] = self._stamp()
        ticket["resolution"] = resolution
        return _ok(ticket)

    def set_account_status(self, account_id: str, status: Literal["active", "disabled"], operator_id: str, note: Optional[str] = None) -> dict:
        """Unlock, disable or enable an account.

        Args:
            account_id (str): Account id.
            status (str): active unlocks or enables, disabled disables.
            operator_id (str): Staff id of an agent, security or manager.
            note (str): New text that replaces the note; unchanged when omitted.
        Returns:
            dict: data is the account.
        Effect: write
        """
        account = self.accounts.get(account_id)
        problem = self._denied(operator_id, "agent", "security", "manager")
        if problem:
            return _fail(problem)
        if account is None or status not in ("active", "disabled") or account["status"] == status:
            return _fail("The account is unknown, or it has this status already")
        trusted = self.staff[operator_id]["role"] in ("security", "manager")
        employee = self.employees[account["employee_id"]]
        if account["status"] == "disabled" and not trusted:
            return _fail("Only security staff and managers enable a disabled account")
        if status == "active" and account["status"] == "locked":
            open_tickets = [t for t in self.tickets.values() if t["requester_id"] == account["employee_id"] and t["status"] not in ("resolved", "closed")]
            if not any(t["identity_verified"] for t in open_tickets):
                return _fail("No open ticket of the employee has a verified identity")
        if status == "disabled" and not trusted:
            last_day = employee["last_day"]
            if employee["status"] == "active" and (last_day is None or last_day > self._stamp()[:10]):
                return _fail("The employee is still active; ask security staff or a manager")
        account["status"] = status
        if note is not None:
            account["note"] = note
        return _ok(account)

    def request_access(self, employee_id: str, group_id: str, justification: str, operator_id: str, days: Optional[int] = None) -> dict:
        """Enter an access request for an employee.

        Args:
            employee_id (str): Employee id.
            group_id (str): Group id.
            justification (str): Why the access is needed.
            operator_id (str): Staff id, any role.
            days (int): How long the access lasts, 1 to 365; without an end when omitted.
        Returns:
            dict: data is the request, in status open.
        Effect: write
        """
        problem = self._denied(operator_id)
        if problem:
            return _fail(problem)
        group = self.groups.get(group_id)
        if employee_id not in self.employees or group is None:
            return _fail("Unknown employee or group")
        most = _PRIVILEGED_DAYS if group["privileged"] else 365
        if (days is None and group["privileged"]) or (days is not None and not 1 <= days <= most):
            return _fail(f"Give the days, 1 to {most}")
        if not justification.strip() or len(justification) > _TEXT_LIMIT:
            return _fail("The justification has 1 to 2000 characters")
        request_id = f"AR-{self.next_request_no}"
        self.next_request_no += 1
        self.access_requests[request_id] = {
            "request_id": request_id, "employee_id": employee_id, "group_id": group_id, "days": days,
            "justification": justification, "status": "open", "decided_by": None, "decision_note": "",
        }
        return _ok(self.access_requests[request_id])

    def decide_access(self, request_id: str, decision: Literal["approved", "rejected"], operator_id: str, note: str = "") -> dict:
        """Approve or reject an open access request.

        Args:
            request_id (str): Request in status open.
            decision (str): approved or rejected.
            operator_id (str): The owner of the group or a manager; for a privileged group security staff.
            note (str): Reason; needed for a rejection.
        Returns:
            dict: data is the request.
        Effect: write
        """
        request, person = self.access_requests.get(request_id), self.staff.get(operator_id)
        if request is None or request["status"] != "open" or decision not in ("approved", "rejected"):
            return _fail("The request is unknown or already decided, or the decision is unknown")
        if person is None:
            return _fail(f"Unknown staff id {operator_id}")
        group = self.groups[request["group_id"]]
        if group["privileged"] and person["role"] != "security":
            return _fail("Only security staff decides on a privileged group")
        if not group["privileged"] and operator_id != group["owner_id"] and person["role"] != "manager":
            return _fail("Only the owner of the group or a manager decides")
        if self.employees[request["employee_id"]]["email"] == person["email"]:
            return _fail("Nobody decides the own request")
        if decision == "rejected" and not note.strip():
            return _fail("A rejection needs a note")
        request["status"] = decision
        request["decided_by"] = operator_id
        request["decision_note"] = note
        return _ok(request)

    def grant_access(self, request_id: str, operator_id: str) -> dict:
        """Put the account of an approved request into the group.

        Args:
            request_id (str): Request in status approved.
            operator_id (str): Staff id of an agent, security or manager.
        Returns:
            dict: data is the account.
        Effect: write
        """
        request = self.access_requests.get(request_id)
        problem = self._denied(operator_id, "agent", "security", "manager")
        if problem:
            return _fail(problem)
        if request is None or request["status"] != "approved":
            return _fail("The request is unknown or not approved")
        account, group = self._account_of(request["employee_id"]), self.groups[request["group_id"]]
        if account is None or account["status"] == "disabled":
            return _fail("The employee has no enabled account")
        members = self._members(group["group_id"])
        if account in members:
            return _fail("The account is in the group already")
        if len(members) >= group["seats"]:
            return _fail(f"{group['name']} has no free seat")
        until = None
        if request["days"] is not None:
            until = (self._now() + timedelta(days=request["days"])).strftime("%Y-%m-%d")
        account["groups"].append({"group_id": group["group_id"], "until": until})
        request["status"] = "granted"
        return _ok(account)

    def remove_access(self, account_id: str, group_id: str, operator_id: str) -> dict:
        """Take an account out of a group.

        Args:
            account_id (str): Account id.
            group_id (str): Group id.
            operator_id (str): Staff id of an agent, security or manager.
        Returns:
            dict: data is the account.
        Effect: write
        """
        account = self.accounts.get(account_id)
        problem = self._denied(operator_id, "agent", "security", "manager")
        if problem:
            return _fail(problem)
        if account is None or not any(g["group_id"] == group_id for g in account["groups"]):
            return _fail("The account is unknown or not in the group")
        account["groups"] = [g for g in account["groups"] if g["group_id"] != group_id]
        return _ok(account)

    def assign_asset(self, asset_id: str, employee_id: str, operator_id: str, remark: Optional[str] = None) -> dict:
        """Hand an asset from stock to an employee.

        Args:
            asset_id (str): Asset in stock.
            employee_id (str): Active employee without an asset of this kind.
            operator_id (str): Staff id of an agent or manager.
            remark (str): New remark of the asset; unchanged when omitted.
        Returns:
            dict: data is the asset.
        Effect: write
        """
        asset, employee = self.assets.get(asset_id), self.employees.get(employee_id)
        problem = self._denied(operator_id, "agent", "manager")
        if problem:
            return _fail(problem)
        if asset is None or asset["status"] != "in_stock" or employee is None or employee["status"] != "active":
            return _fail("The asset is not in stock, or the employee is unknown or has left")
        if any(a["holder_id"] == employee_id and a["kind"] == asset["kind"] for a in self.assets.values()):
            return _fail(f"The employee holds a {asset['kind']} already")
        asset["status"] = "assigned"
        asset["holder_id"] = employee_id
        if remark is not None:
            asset["remark"] = remark
        return _ok(asset)

    def return_asset(self, asset_id: str, condition: Literal["good", "damaged"], wiped: bool, operator_id: str, remark: Optional[str] = None) -> dict:
        """Book an asset that came back; good ones go to stock, damaged ones to repair.

        Args:
            asset_id (str): Asset in status assigned.
            condition (str): good or damaged.
            wiped (bool): Whether the data was erased; needed to restock a laptop, phone or tablet.
            operator_id (str): Staff id of an agent or manager.
            remark (str): New remark of the asset; unchanged when omitted.
        Returns:
            dict: data is the asset.
        Effect: write
        """
        asset = self.assets.get(asset_id)
        problem = self._denied(operator_id, "agent", "manager")
        if problem:
            return _fail(problem)
        if asset is None or asset["status"] != "assigned" or condition not in ("good", "damaged"):
            return _fail("The asset is unknown or not assigned, or the condition is unknown")
        if condition == "good" and asset["kind"] in _DATA_KINDS and not wiped:
            return _fail(f"A {asset['kind']} goes back to stock only after it was wiped")
        asset["status"] = "in_stock" if condition == "good" else "repair"
        asset["holder_id"] = None
        if remark is not None:
            asset["remark"] = remark
        return _ok(asset)

    def schedule_change(self, change_id: str, starts_at: str, ends_at: str, operator_id: str) -> dict:
        """Set the time of a draft change; a normal change must lie in the maintenance window.

        Args:
            change_id (str): Change in status draft.
            starts_at (str): Begin, YYYY-MM-DD HH:MM.
            ends_at (str): End, YYYY-MM-DD HH:MM.
            operator_id (str): Staff id of an engineer or manager.
        Returns:
            dict: data is the change.
        Effect: write
        """
        change = self.changes.get(change_id)
        problem = self._denied(operator_id, "engineer", "manager")
        if problem:
            return _fail(problem)
        if change is None or change["status"] != "draft":
            return _fail("The change is unknown or no draft")
        start, end = _parse(starts_at), _parse(ends_at)
        if start is None or end is None or end <= start or start <= self._now():
            return _fail("Give two future times YYYY-MM-DD HH:MM, the end after the start")
        service = self.services[change["service_id"]]
        if starts_at[:10] in service["freeze_days"] or ends_at[:10] in service["freeze_days"]:
            return _fail(f"{service['name']} is frozen on this day")
        if change["kind"] == "normal" and self._outside_window(service, start, end):
            return _fail(f"Outside the maintenance window of {service['name']}")
        for other in self.changes.values():
            if other is not change and other["service_id"] == change["service_id"] and other["status"] in ("draft", "approved") and other["starts_at"] is not None:
                if other["starts_at"] < ends_at and starts_at < other["ends_at"]:
                    return _fail(f"Overlaps with {other['change_id']}")
        change["starts_at"] = starts_at
        change["ends_at"] = ends_at
        return _ok(change)

    def decide_change(self, change_id: str, decision: Literal["approved", "cancelled"], operator_id: str, note: str = "") -> dict:
        """Approve a scheduled draft, or cancel a draft or an approved change.

        Args:
            change_id (str): Change id.
            decision (str): approved or cancelled.
            operator_id (str): Manager who is not the requester; the requester may cancel.
            note (str): When given, added to the plan as a line of its own.
        Returns:
            dict: data is the change.
        Effect: write
        """
        change, person = self.changes.get(change_id), self.staff.get(operator_id)
        if change is None or change["status"] not in ("draft", "approved") or decision not in ("approved", "cancelled"):
            return _fail("The change is unknown or finished, or the decision is unknown")
        own = operator_id == change["requester_id"]
        if person is None or (person["role"] != "manager" and not (own and decision == "cancelled")):
            return _fail("Only a manager decides; the requester may cancel")
        if decision == "approved":
            if own:
                return _fail("Nobody approves the own change")
            if change["status"] != "draft" or change["starts_at"] is None:
                return _fail("Only a draft with a time is approved")
            notice = (self._now() + timedelta(hours=_NOTICE_HOURS)).strftime("%Y-%m-%d %H:%M")
            if change["kind"] == "normal" and change["starts_at"] < notice:
                return _fail("A normal change is approved at least 24 hours before it starts")
            change["approver_id"] = operator_id
        change["status"] = decision
        if note.strip():
            change["plan"] = f"{change['plan']}\n{note}"
        return _ok(change)

    def hand_over_shift(self, shift_id: str, to_staff_id: str, operator_id: str, note: Optional[str] = None) -> dict:
        """Give an on-call shift that has not begun to another member of its team.

        Args:
            shift_id (str): Shift id.
            to_staff_id (str): Staff id of the new person.
            operator_id (str): The person on the shift, or a manager.
            note (str): New text that replaces the note; unchanged when omitted.
        Returns:
            dict: data is the shift.
        Effect: write
        """
        shift, person = self.shifts.get(shift_id), self.staff.get(to_staff_id)
        problem = self._denied(operator_id)
        if problem:
            return _fail(problem)
        if shift is None or person is None or person["team"] != shift["team"] or to_staff_id == shift["staff_id"]:
            return _fail("The shift is unknown, or the person is not another member of its team")
        if operator_id != shift["staff_id"] and self.staff[operator_id]["role"] != "manager":
            return _fail("Only the person on the shift or a manager hands it over")
        if shift["starts_at"] <= self._stamp():
            return _fail("The shift has begun")
        for other in self.shifts.values():
            if other["staff_id"] == to_staff_id and other["starts_at"] < shift["ends_at"] and shift["starts_at"] < other["ends_at"]:
                return _fail(f"{person['name']} has shift {other['shift_id']} at that time")
        shift["staff_id"] = to_staff_id
        if note is not None:
            shift["note"] = note
        return _ok(shift)

    def send_message(self, recipient: str, subject: str, body: str, operator_id: str) -> dict:
        """Send an email.

        Args:
            recipient (str): Email address.
            subject (str): Subject line.
            body (str): Text of the email.
            operator_id (str): Sender, any role.
        Returns:
            dict: data is the message.
        Effect: external
        """
        problem = self._denied(operator_id)
        if problem:
            return _fail(problem)
        if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[a-z]+", recipient):
            return _fail("The recipient must be an email address")
        if not body.strip() or len(body) > _TEXT_LIMIT:
            return _fail("The body must have 1 to 2000 characters")
        message_id = f"M-{self.next_message_no}"
        self.next_message_no += 1
        self.messages[message_id] = {
            "message_id": message_id, "recipient": recipient, "subject": subject, "body": body,
            "operator_id": operator_id, "sent_at": self._stamp(),
        }
        return _ok(self.messages[message_id])
