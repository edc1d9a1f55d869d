"""People operations

The HR desk of a mid-sized company. Leave is requested and decided, adjustments are entered
before the cut-off of a payroll run, new starters have tasks and documents, and some things
need a formal approval first. Salaries are monthly, amounts are in EUR; all times are UTC,
dates YYYY-MM-DD, leave is counted in working days (Monday to Friday).

Rules:
- Leave is decided by the manager of the employee or by an hr_partner, never by the employee; a rejection needs a note.
- Approved vacation is taken off the balance and needs enough of it; cancelling leave that has not begun gives it back.
- Vacation that begins within 7 days needs an approved leave_exception approval for the employee.
- On no working day may more people of a department be away on approved vacation or unpaid leave than its max_absent.
- Sick leave of more than 3 working days is approved only with a verified certificate.
- Adjustments are entered and decided while the run is open and before its cut-off, and nobody decides an adjustment that they entered.
- A payroll officer approves adjustments up to 1000.00 and an hr_head up to 10000.00.
- A bonus needs an approved bonus approval of at least its amount; a deduction is at most a tenth of the salary.
- An onboarding task is done only after the tasks it depends on; its owner or an hr_partner updates it.
- A document is received before it is verified; right_to_work and certificate are verified only with a date that is not past.
- An approval is decided by its approver or by an hr_head, not by the requester; an approved salary_change sets the salary.
"""

import copy
import re
from datetime import date, datetime, timedelta, timezone
from typing import Dict, List, Literal, Optional, TypedDict

_APPROVE_LIMITS = {"payroll": 1000.0, "hr_head": 10000.0}
_NOTICE_DAYS = 7
_SICK_DAYS = 3
_LEAVE_SPAN = 366  # calendar days of one request at most
_AMOUNT_LIMIT = 100000.0
_TEXT_LIMIT = 2000


class DepartmentInfo(TypedDict):
    department_id: str
    name: str
    head_id: str
    max_absent: int


class EmployeeInfo(TypedDict):
    employee_id: str
    name: str
    title: str
    role: str  # employee, manager, hr_partner, payroll, hr_head
    department_id: str
    manager_id: Optional[str]
    email: str
    phone: str
    status: str  # active, notice, left
    started_on: str
    salary: float
    vacation_left: int  # working days
    notes: str  # free text


class LeaveRequestInfo(TypedDict):
    request_id: str
    employee_id: str
    kind: str  # vacation, sick, unpaid, parental
    first_day: str
    last_day: str
    days: int
    status: str  # submitted, approved, rejected, cancelled
    reason: str  # free text
    decision_note: str  # free text
    decided_by: Optional[str]


class PayrollRunInfo(TypedDict):
    run_id: str
    month: str  # YYYY-MM
    cutoff: str  # YYYY-MM-DD HH:MM
    status: str  # open, closed


class AdjustmentInfo(TypedDict):
    adjustment_id: str
    employee_id: str
    run_id: str
    kind: str  # bonus, expense, correction, deduction
    amount: float
    status: str  # draft, approved, rejected
    entered_by: str
    reason: str  # free text
    decision_note: str  # free text
    decided_by: Optional[str]


class OnboardingTaskInfo(TypedDict):
    task_id: str
    employee_id: str
    title: str
    owner_id: str
    due_on: str
    status: str  # open, blocked, done
    depends_on: List[str]  # task ids
    comment: str  # free text


class DocumentInfo(TypedDict):
    document_id: str
    employee_id: str
    kind: str  # contract, id_copy, right_to_work, tax_form, certificate
    status: str  # missing, received, verified, refused
    valid_until: Optional[str]
    note: str  # free text


class ApprovalInfo(TypedDict):
    approval_id: str
    kind: str  # salary_change, leave_exception, bonus
    employee_id: str
    amount: float  # new salary or bonus, else 0
    requested_by: str
    approver_id: str
    status: str  # pending, approved, declined
    detail: str  # free text
    comment: str  # free text


class TeamNoteInfo(TypedDict):
    note_id: str
    department_id: str
    author_id: str
    written_at: str
    text: str  # free text


class MessageInfo(TypedDict):
    message_id: str
    recipient: str
    subject: str
    body: str
    staff_id: str
    sent_at: str


def _ok(data) -> dict:
    return {"success": True, "data": copy.deepcopy(data)}


def _fail(error: str) -> dict:
    return {"success": False, "error": error}


def _bad_text(text: str) -> bool:
    return not text.strip() or len(text) > _TEXT_LIMIT


def _parse_day(text: str) -> Optional[date]:
    """The date, or None when the text is no date of the form YYYY-MM-DD from 1900 to 2199."""
    if not re.fullmatch(r"(19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}", text):
        return None
    try:
        return date(int(text[:4]), int(text[5:7]), int(text[8:]))
    except ValueError:
        return None


def _working_days(first: str, last: str) -> List[str]:
    """The working days of a span, both ends included."""
    day, end = _parse_day(first), _parse_day(last)
    days = []
    while day <= end:
        if day.weekday() < 5:
            days.append(day.isoformat())
        day += timedelta(days=1)
    return days


class PeopleOperations:
    def __init__(self, config: dict):
        """Load the state; every top-level key of config becomes an attribute."""
        self.departments: Dict[str, DepartmentInfo] = config.get("departments", {})
        self.employees: Dict[str, EmployeeInfo] = config.get("employees", {})
        self.leave_requests: Dict[str, LeaveRequestInfo] = config.get("leave_requests", {})
        self.payroll_runs: Dict[str, PayrollRunInfo] = config.get("payroll_runs", {})
        self.adjustments: Dict[str, AdjustmentInfo] = config.get("adjustments", {})
        self.onboarding_tasks: Dict[str, OnboardingTaskInfo] = config.get("onboarding_tasks", {})
        self.documents: Dict[str, DocumentInfo] = config.get("documents", {})
        self.approvals: Dict[str, ApprovalInfo] = config.get("approvals", {})
        self.team_notes: Dict[str, TeamNoteInfo] = config.get("team_notes", {})
        self.messages: Dict[str, MessageInfo] = config.get("messages", {})
        self.next_leave_no: int = config.get("next_leave_no", 1)
        self.next_adjustment_no: int = config.get("next_adjustment_no", 1)
        self.next_task_no: int = config.get("next_task_no", 1)
        self.next_document_no: int = config.get("next_document_no", 1)
        self.next_approval_no: int = config.get("next_approval_no", 1)
        self.next_note_no: int = config.get("next_note_no", 1)
        self.next_message_no: int = config.get("next_message_no", 1)

    def _now(self) -> datetime:
        return datetime.now(timezone.utc)

    def _stamp(self) -> str:
        return self._now().strftime("%Y-%m-%d %H:%M")

    def _today(self) -> str:
        return self._stamp()[:10]

    def _denied(self, staff_id: str, *roles: str) -> Optional[str]:
        """Why the person may not act with one of the roles, or None."""
        person = self.employees.get(staff_id)
        if person is None or person["status"] == "left":
            return f"Unknown or former employee {staff_id}"
        if roles and person["role"] not in roles:
            return f"The role {person['role']} may not do this; needed: {', '.join(roles)}"
        return None

    def _current(self, employee_id: str) -> Optional[EmployeeInfo]:
        person = self.employees.get(employee_id)
        return person if person is not None and person["status"] != "left" else None

    def _open_run(self, run_id: str) -> Optional[str]:
        """Why the run takes no changes now, or None."""
        run = self.payroll_runs.get(run_id)
        if run is None or run["status"] != "open":
            return f"Payroll run {run_id} is unknown or closed"
        if self._stamp() >= run["cutoff"]:
            return f"The cut-off of {run_id} was {run['cutoff']}"
        return None

    def _has_approval(self, kind: str, employee_id: str, amount: float) -> bool:
        for approval in self.approvals.values():
            if approval["kind"] == kind and approval["employee_id"] == employee_id and approval["status"] == "approved" and approval["amount"] >= amount:
                return True
        return False

    def _has_certificate(self, employee_id: str) -> bool:
        for document in self.documents.values():
            if document["employee_id"] == employee_id and document["kind"] == "certificate" and document["status"] == "verified":
                return True
        return False

    def _full_day(self, request: LeaveRequestInfo) -> Optional[str]:
        """The first day on which the department would have too many people away, or None."""
        department_id = self.employees[request["employee_id"]]["department_id"]
        away: Dict[str, int] = {}
        for other in self.leave_requests.values():
            if other["status"] != "approved" or other["kind"] not in ("vacation", "unpaid"):
                continue
            if self.employees[other["employee_id"]]["department_id"] == department_id:
                for day in _working_days(other["first_day"], other["last_day"]):
                    away[day] = away.get(day, 0) + 1
        for day in _working_days(request["first_day"], request["last_day"]):
            if away.get(day, 0) + 1 > self.departments[department_id]["max_absent"]:
                return day
        return None

    def _cannot_leave(self, request: LeaveRequestInfo) -> Optional[str]:
        """Why the request cannot be approved now, or None."""
        person = self.employees[request["employee_id"]]
        if request["kind"] == "sick":
            if request["days"] > _SICK_DAYS and not self._has_certificate(person["employee_id"]):
                return f"Sick leave of more than {_SICK_DAYS} days needs a verified certificate"
            return None
        if request["kind"] == "vacation":
            if request["days"] > person["vacation_left"]:
                return f"{request['days']} days requested, {person['vacation_left']} left"
            soon = (self._now() + timedelta(days=_NOTICE_DAYS)).strftime("%Y-%m-%d")
            if request["first_day"] < soon and not self._has_approval("leave_exception", person["employee_id"], 0.0):
                return f"Vacation that begins within {_NOTICE_DAYS} days needs an approved leave_exception"
        if request["kind"] in ("vacation", "unpaid"):
            day = self._full_day(request)
            if day is not None:
                return f"Too many people of the department are away on {day}"
        return None

    def list_departments(self) -> dict:
        """List the departments with their heads and absence limits, and the current time.

        Returns:
            dict: data has now and departments.
        Effect: read
        """
        return _ok({"now": self._stamp(), "departments": list(self.departments.values())})

    def find_employee(self, query: str) -> dict:
        """Find employees by id, or by a part of the name or the title, in short form.

        Args:
            query (str): Text to look for, upper and lower case are equal.
        Returns:
            dict: data is a list of employees with id, name, title, role, department, manager, email and status.
        Effect: read
        """
        text = query.strip().lower()
        if not text:
            return _fail("Give a name, a title or an id")
        keys = ("employee_id", "name", "title", "role", "department_id", "manager_id", "email", "status")
        found = [e for e in self.employees.values() if text == e["employee_id"].lower() or text in e["name"].lower() or text in e["title"].lower()]
        return _ok([{key: e[key] for key in keys} for e in found]) if found else _fail(f"No employee matches {query!r}")

    def get_employee(self, employee_id: str) -> dict:
        """Read the full record of an employee with salary, vacation balance and notes.

        Args:
            employee_id (str): Employee id.
        Returns:
            dict: data is the employee.
        Effect: read
        """
        person = self.employees.get(employee_id)
        return _ok(person) if person else _fail(f"Unknown employee {employee_id}")

    def list_leave_requests(self, status: Optional[Literal["submitted", "approved", "rejected", "cancelled"]] = None, department_id: Optional[str] = None, employee_id: Optional[str] = None) -> dict:
        """List leave requests with names, the earliest leave first.

        Args:
            status (str): Only requests in this status; all when omitted.
            department_id (str): Only requests of this department; all when omitted.
            employee_id (str): Only requests of this employee; all when omitted.
        Returns:
            dict: data is a list of requests.
        Effect: read
        """
        rows = []
        for request in sorted(self.leave_requests.values(), key=lambda r: (r["first_day"], r["request_id"])):
            person = self.employees[request["employee_id"]]
            if status in (None, request["status"]) and department_id in (None, person["department_id"]) and employee_id in (None, person["employee_id"]):
                rows.append(dict(request, name=person["name"]))
        return _ok(rows)

    def list_payroll_runs(self) -> dict:
        """List the payroll runs with their cut-off times.

        Returns:
            dict: data is a list of runs.
        Effect: read
        """
        return _ok(list(self.payroll_runs.values()))

    def list_adjustments(self, run_id: str, status: Optional[Literal["draft", "approved", "rejected"]] = None, employee_id: Optional[str] = None) -> dict:
        """List the adjustments of a payroll run with names.

        Args:
            run_id (str): Payroll run.
            status (str): Only adjustments in this status; all when omitted.
            employee_id (str): Only adjustments of this employee; all when omitted.
        Returns:
            dict: data is a list of adjustments.
        Effect: read
        """
        if run_id not in self.payroll_runs:
            return _fail(f"Unknown payroll run {run_id}")
        rows = [a for a in self.adjustments.values() if a["run_id"] == run_id and status in (None, a["status"]) and employee_id in (None, a["employee_id"])]
        return _ok([dict(a, name=self.employees[a["employee_id"]]["name"]) for a in rows])

    def list_onboarding_tasks(self, employee_id: str) -> dict:
        """List the onboarding tasks of an employee, the earliest due first.

        Args:
            employee_id (str): Employee id of the new starter.
        Returns:
            dict: data is a list of tasks.
        Effect: read
        """
        if employee_id not in self.employees:
            return _fail(f"Unknown employee {employee_id}")
        rows = [t for t in self.onboarding_tasks.values() if t["employee_id"] == employee_id]
        return _ok(sorted(rows, key=lambda t: (t["due_on"], t["task_id"])))

    def list_documents(self, employee_id: str) -> dict:
        """List the documents of an employee.

        Args:
            employee_id (str): Employee id.
        Returns:
            dict: data is a list of documents.
        Effect: read
        """
        if employee_id not in self.employees:
            return _fail(f"Unknown employee {employee_id}")
        return _ok([d for d in self.documents.values() if d["employee_id"] == employee_id])

    def list_approvals(self, status: Optional[Literal["pending", "approved", "declined"]] = None, employee_id: Optional[str] = None) -> dict:
        """List formal approvals with the names of the employees they are about.

        Args:
            status (str): Only approvals in this status; all when omitted.
            employee_id (str): Only approvals about this employee; all when omitted.
        Returns:
            dict: data is a list of approvals.
        Effect: read
        """
        rows = [a for a in self.approvals.values() if status in (None, a["status"]) and employee_id in (None, a["employee_id"])]
        return _ok([dict(a, name=self.employees[a["employee_id"]]["name"]) for a in rows])

    def list_team_notes(self, department_id: str) -> dict:
        """List the notes of a department, oldest first.

        Args:
            department_id (str): Department id.
        Returns:
            dict: data is a list of notes.
        Effect: read
        """
        if department_id not in self.departments:
            return _fail(f"Unknown department {department_id}")
        notes = [n for n in self.team_notes.values() if n["department_id"] == department_id]
        return _ok(sorted(notes, key=lambda n: (n["written_at"], n["note_id"])))

    def submit_leave(self, employee_id: str, kind: Literal["vacation", "sick", "unpaid", "parental"], first_day: str, last_day: str, reason: str, staff_id: str) -> dict:
        """Enter a leave request for oneself, or for anybody as an hr_partner.

        Args:
            employee_id (str): Employee who will be away.
            kind (str): Kind of leave.
            first_day (str): First day, YYYY-MM-DD.
            last_day (str): Last day, YYYY-MM-DD.
            reason (str): Free text.
            staff_id (str): The employee or an hr_partner.
        Returns:
            dict: data is the request, with the number of working days.
        Effect: write
        """
        if self._current(employee_id) is None:
            return _fail(f"Unknown or former employee {employee_id}")
        problem = self._denied(staff_id) if staff_id == employee_id else self._denied(staff_id, "hr_partner")
        if problem:
            return _fail(problem)
        if kind not in ("vacation", "sick", "unpaid", "parental"):
            return _fail("Unknown kind of leave")
        first, last = _parse_day(first_day), _parse_day(last_day)
        if first is None or last is None or not 0 <= (last - first).days < _LEAVE_SPAN:
            return _fail("The days must be YYYY-MM-DD, in order, and at most a year apart")
        days = len(_working_days(first_day, last_day))
        if days == 0:
            return _fail("There is no working day in this span")
        for other in self.leave_requests.values():
            if other["employee_id"] == employee_id and other["status"] in ("submitted", "approved"):
                if other["first_day"] <= last_day and first_day <= other["last_day"]:
                    return _fail(f"Overlaps with {other['request_id']}")
        request_id = f"LR-{self.next_leave_no}"
        self.next_leave_no += 1
        self.leave_requests[request_id] = {
            "request_id": request_id, "employee_id": employee_id, "kind": kind, "first_day": first_day, "last_day": last_day,
            "days": days, "status": "submitted", "reason": reason, "decision_note": "", "decided_by": None,
        }
        return _ok(self.leave_requests[request_id])

    def decide_leave(self, request_id: str, decision: Literal["approved", "rejected"], staff_id: str, note: str = "") -> dict:
        """Approve or reject a submitted leave request.

        Args:
            request_id (str): Leave request that is submitted.
            decision (str): approved or rejected.
            staff_id (str): The manager of the employee or an hr_partner.
            note (str): Note for the employee, needed for a rejection.
        Returns:
            dict: data is the request.
        Effect: write
        """
        request = self.leave_requests.get(request_id)
        if request is None or request["status"] != "submitted":
            return _fail("The request is unknown or already decided")
        person = self.employees[request["employee_id"]]
        if staff_id == person["employee_id"]:
            return _fail("Nobody decides their own leave")
        problem = self._denied(staff_id) if staff_id == person["manager_id"] else self._denied(staff_id, "hr_partner")
        if problem:
            return _fail(problem)
        if decision == "approved":
            problem = self._cannot_leave(request)
            if problem:
                return _fail(problem)
            if request["kind"] == "vacation":
                person["vacation_left"] -= request["days"]
        elif decision != "rejected":
            return _fail("The decision is approved or rejected")
        elif _bad_text(note):
            return _fail("A rejection needs a note")
        request["status"] = decision
        request["decision_note"] = note
        request["decided_by"] = staff_id
        return _ok(request)

    def cancel_leave(self, request_id: str, reason: str, staff_id: str) -> dict:
        """Cancel leave that has not begun; approved vacation goes back to the balance.

        Args:
            request_id (str): Leave request that is submitted or approved.
            reason (str): Why it is cancelled; replaces the decision note.
            staff_id (str): The employee or an hr_partner.
        Returns:
            dict: data is the request.
        Effect: write
        """
        request = self.leave_requests.get(request_id)
        if request is None or request["status"] not in ("submitted", "approved"):
            return _fail("The request is unknown, rejected or already cancelled")
        problem = self._denied(staff_id) if staff_id == request["employee_id"] else self._denied(staff_id, "hr_partner")
        if problem:
            return _fail(problem)
        if request["first_day"] <= self._today():
            return _fail("The leave has already begun")
        if request["status"] == "approved" and request["kind"] == "vacation":
            self.employees[request["employee_id"]]["vacation_left"] += request["days"]
        request["status"] = "cancelled"
        request["decision_note"] = reason
        return _ok(request)

    def enter_adjustment(self, employee_id: str, run_id: str, kind: Literal["bonus", "expense", "correction", "deduction"], amount: float, reason: str, staff_id: str) -> dict:
        """Enter a draft adjustment for an open payroll run.

        Args:
            employee_id (str): Employee who is paid.
            run_id (str): Open payroll run before its cut-off.
            kind (str): bonus, expense, correction or deduction.
            amount (float): EUR, more than zero; a deduction is taken off.
            reason (str): Why the adjustment is made.
            staff_id (str): A payroll officer or an hr_partner.
        Returns:
            dict: data is the adjustment.
        Effect: write
        """
        problem = self._denied(staff_id, "payroll", "hr_partner") or self._open_run(run_id)
        if problem:
            return _fail(problem)
        person = self._current(employee_id)
        if person is None:
            return _fail(f"Unknown or former employee {employee_id}")
        if kind not in ("bonus", "expense", "correction", "deduction"):
            return _fail("Unknown kind of adjustment")
        if not 0 < amount <= _AMOUNT_LIMIT or _bad_text(reason):
            return _fail("The amount must be more than zero and at most 100000, and a reason is needed")
        if kind == "deduction" and amount > person["salary"] / 10:
            return _fail("A deduction is at most a tenth of the salary")
        adjustment_id = f"AJ-{self.next_adjustment_no}"
        self.next_adjustment_no += 1
        self.adjustments[adjustment_id] = {
            "adjustment_id": adjustment_id, "employee_id": employee_id, "run_id": run_id, "kind": kind, "amount": round(float(amount), 2),
            "status": "draft", "entered_by": staff_id, "reason": reason, "decision_note": "", "decided_by": None,
        }
        return _ok(self.adjustments[adjustment_id])

    def decide_adjustment(self, adjustment_id: str, decision: Literal["approved", "rejected"], staff_id: str, note: str = "") -> dict:
        """Approve or reject a draft adjustment.

        Args:
            adjustment_id (str): Adjustment that is draft.
            decision (str): approved or rejected.
            staff_id (str): A payroll officer or an hr_head, not the person who entered it.
            note (str): Note, needed for a rejection.
        Returns:
            dict: data is the adjustment.
        Effect: write
        """
        item = self.adjustments.get(adjustment_id)
        if item is None or item["status"] != "draft":
            return _fail("The adjustment is unknown or already decided")
        problem = self._denied(staff_id, "payroll", "hr_head") or self._open_run(item["run_id"])
        if problem:
            return _fail(problem)
        if staff_id == item["entered_by"]:
            return _fail("Nobody decides an adjustment that they entered")
        if decision == "approved":
            limit = _APPROVE_LIMITS[self.employees[staff_id]["role"]]
            if item["amount"] > limit:
                return _fail(f"{item['amount']} is above your limit of {limit}")
            if item["kind"] == "bonus" and not self._has_approval("bonus", item["employee_id"], item["amount"]):
                return _fail("The bonus has no approved bonus approval of this amount")
        elif decision != "rejected":
            return _fail("The decision is approved or rejected")
        elif _bad_text(note):
            return _fail("A rejection needs a note")
        item["status"] = decision
        item["decision_note"] = note
        item["decided_by"] = staff_id
        return _ok(item)

    def add_onboarding_task(self, employee_id: str, title: str, owner_id: str, due_on: str, staff_id: str, depends_on: Optional[List[str]] = None) -> dict:
        """Add an onboarding task for a new starter.

        Args:
            employee_id (str): Employee id of the new starter.
            title (str): What is to be done.
            owner_id (str): Employee who does it.
            due_on (str): Due date, YYYY-MM-DD, not past.
            staff_id (str): An hr_partner, or the manager of the starter.
            depends_on (list): Ids of tasks of the same starter that come first; none when omitted.
        Returns:
            dict: data is the task.
        Effect: write
        """
        person = self._current(employee_id)
        if person is None or self._current(owner_id) is None:
            return _fail("Unknown or former employee or owner")
        problem = self._denied(staff_id) if staff_id == person["manager_id"] else self._denied(staff_id, "hr_partner")
        if problem:
            return _fail(problem)
        if _bad_text(title) or _parse_day(due_on) is None or due_on < self._today():
            return _fail("A title and a due date (YYYY-MM-DD, not past) are needed")
        first = depends_on if depends_on is not None else []
        for task_id in first:
            if task_id not in self.onboarding_tasks or self.onboarding_tasks[task_id]["employee_id"] != employee_id:
                return _fail(f"{task_id} is no task of this starter")
        task_id = f"OT-{self.next_task_no}"
        self.next_task_no += 1
        self.onboarding_tasks[task_id] = {
            "task_id": task_id, "employee_id": employee_id, "title": title, "owner_id": owner_id, "due_on": due_on,
            "status": "open", "depends_on": list(first), "comment": "",
        }
        return _ok(self.onboarding_tasks[task_id])

    def update_onboarding_task(self, task_id: str, status: Literal["open", "blocked", "done"], staff_id: str, comment: Optional[str] = None) -> dict:
        """Set the status of an onboarding task that is not done.

        Args:
            task_id (str): Task id.
            status (str): open, blocked (needs a comment) or done.
            staff_id (str): The owner of the task or an hr_partner.
            comment (str): New comment; unchanged when omitted.
        Returns:
            dict: data is the task.
        Effect: write
        """
        task = self.onboarding_tasks.get(task_id)
        if task is None or task["status"] == "done":
            return _fail("The task is unknown or done")
        problem = self._denied(staff_id) if staff_id == task["owner_id"] else self._denied(staff_id, "hr_partner")
        if problem:
            return _fail(problem)
        if status not in ("open", "blocked", "done"):
            return _fail("The status is open, blocked or done")
        if status == "blocked" and (comment is None or _bad_text(comment)):
            return _fail("A blocked task needs a comment")
        if status == "done":
            for other in task["depends_on"]:
                if self.onboarding_tasks[other]["status"] != "done":
                    return _fail(f"{other} must be done first")
        task["status"] = status
        if comment is not None:
            task["comment"] = comment
        return _ok(task)

    def request_document(self, employee_id: str, kind: Literal["contract", "id_copy", "right_to_work", "tax_form", "certificate"], note: str, staff_id: str) -> dict:
        """Ask an employee for a document; it is on the list as missing.

        Args:
            employee_id (str): Employee id.
            kind (str): Kind of document.
            note (str): What exactly is needed.
            staff_id (str): An hr_partner or hr_head.
        Returns:
            dict: data is the document.
        Effect: write
        """
        problem = self._denied(staff_id, "hr_partner", "hr_head")
        if problem:
            return _fail(problem)
        if self._current(employee_id) is None:
            return _fail(f"Unknown or former employee {employee_id}")
        if kind not in ("contract", "id_copy", "right_to_work", "tax_form", "certificate"):
            return _fail("Unknown kind of document")
        document_id = f"DC-{self.next_document_no}"
        self.next_document_no += 1
        self.documents[document_id] = {
            "document_id": document_id, "employee_id": employee_id, "kind": kind, "status": "missing", "valid_until": None, "note": note,
        }
        return _ok(self.documents[document_id])

    def check_document(self, document_id: str, status: Literal["received", "verified", "refused"], staff_id: str, valid_until: Optional[str] = None, note: Optional[str] = None) -> dict:
        """Record that a document came in, was verified or was refused.

        Args:
            document_id (str): Document id.
            status (str): received, verified (only after received) or refused (needs a note).
            staff_id (str): An hr_partner or hr_head.
            valid_until (str): Last day of validity, YYYY-MM-DD; unchanged when omitted.
            note (str): New note; unchanged when omitted.
        Returns:
            dict: data is the document.
        Effect: write
        """
        document = self.documents.get(document_id)
        problem = self._denied(staff_id, "hr_partner", "hr_head")
        if problem:
            return _fail(problem)
        if document is None:
            return _fail(f"Unknown document {document_id}")
        if valid_until is not None and _parse_day(valid_until) is None:
            return _fail("valid_until must be YYYY-MM-DD")
        until = valid_until if valid_until is not None else document["valid_until"]
        if status == "verified":
            if document["status"] != "received":
                return _fail("Only a received document is verified")
            if document["kind"] in ("right_to_work", "certificate") and (until is None or until < self._today()):
                return _fail("The document has no date of validity, or it is past")
        elif status == "refused":
            if document["status"] != "received" or note is None or _bad_text(note):
                return _fail("Only a received document is refused, and with a note")
        elif status != "received" or document["status"] == "verified":
            return _fail("The document is verified, or the status is unknown")
        document["status"] = status
        document["valid_until"] = until
        if note is not None:
            document["note"] = note
        return _ok(document)

    def request_approval(self, kind: Literal["salary_change", "leave_exception", "bonus"], employee_id: str, amount: float, detail: str, approver_id: str, staff_id: str) -> dict:
        """Ask a manager or the hr_head for a formal approval.

        Args:
            kind (str): Kind of approval.
            employee_id (str): Employee the approval is about.
            amount (float): New monthly salary or bonus in EUR; 0 for a leave_exception.
            detail (str): What is asked for, and why.
            approver_id (str): Manager or hr_head who decides.
            staff_id (str): Manager or hr_partner who asks.
        Returns:
            dict: data is the approval.
        Effect: write
        """
        problem = self._denied(staff_id, "manager", "hr_partner") or self._denied(approver_id, "manager", "hr_head")
        if problem:
            return _fail(problem)
        if self._current(employee_id) is None or kind not in ("salary_change", "leave_exception", "bonus"):
            return _fail("Unknown or former employee, or unknown kind of approval")
        if approver_id in (staff_id, employee_id):
            return _fail("The approver must be neither the requester nor the employee")
        if not 0 <= amount <= _AMOUNT_LIMIT or (kind != "leave_exception" and amount == 0) or _bad_text(detail):
            return _fail("An amount from 0 to 100000 and a detail are needed")
        approval_id = f"AP-{self.next_approval_no}"
        self.next_approval_no += 1
        self.approvals[approval_id] = {
            "approval_id": approval_id, "kind": kind, "employee_id": employee_id, "amount": round(float(amount), 2),
            "requested_by": staff_id, "approver_id": approver_id, "status": "pending", "detail": detail, "comment": "",
        }
        return _ok(self.approvals[approval_id])

    def decide_approval(self, approval_id: str, decision: Literal["approved", "declined"], staff_id: str, comment: str = "") -> dict:
        """Decide a pending approval; an approved salary_change sets the salary at once.

        Args:
            approval_id (str): Approval that is pending.
            decision (str): approved or declined.
            staff_id (str): The approver or an hr_head, not the requester.
            comment (str): Comment, needed when declined.
        Returns:
            dict: data is the approval.
        Effect: write
        """
        approval = self.approvals.get(approval_id)
        if approval is None or approval["status"] != "pending":
            return _fail("The approval is unknown or already decided")
        problem = self._denied(staff_id) if staff_id == approval["approver_id"] else self._denied(staff_id, "hr_head")
        if problem:
            return _fail(problem)
        if staff_id in (approval["requested_by"], approval["employee_id"]):
            return _fail("Nobody decides what they requested, or about themselves")
        if decision not in ("approved", "declined"):
            return _fail("The decision is approved or declined")
        if decision == "declined" and _bad_text(comment):
            return _fail("A comment is needed")
        if decision == "approved" and approval["kind"] == "salary_change":
            self.employees[approval["employee_id"]]["salary"] = approval["amount"]
        approval["status"] = decision
        approval["comment"] = comment
        return _ok(approval)

    def update_employee(self, employee_id: str, staff_id: str, title: Optional[str] = None, phone: Optional[str] = None, manager_id: Optional[str] = None, notes: Optional[str] = None) -> dict:
        """Change the title, the phone, the manager or the notes of an employee.

        Args:
            employee_id (str): Employee id.
            staff_id (str): An hr_partner or hr_head.
            title (str): New title; unchanged when omitted.
            phone (str): New phone; unchanged when omitted.
            manager_id (str): New manager, whose role is manager or hr_head; unchanged when omitted.
            notes (str): New text that replaces the notes; unchanged when omitted.
        Returns:
            dict: data is the employee.
        Effect: write
        """
        person = self._current(employee_id)
        problem = self._denied(staff_id, "hr_partner", "hr_head")
        if problem:
            return _fail(problem)
        if person is None:
            return _fail(f"Unknown or former employee {employee_id}")
        if phone is not None and not re.fullmatch(r"\+[0-9][0-9 ]{6,19}", phone):
            return _fail("A phone is a plus sign, digits and spaces")
        if manager_id is not None and (manager_id == employee_id or self._denied(manager_id, "manager", "hr_head")):
            return _fail("The new manager must be another person with the role manager or hr_head")
        for key, value in (("title", title), ("phone", phone), ("manager_id", manager_id), ("notes", notes)):
            if value is not None:
                person[key] = value
        return _ok(person)

    def add_team_note(self, department_id: str, author_id: str, text: str) -> dict:
        """Write a note for a department.

        Args:
            department_id (str): Department id.
            author_id (str): Employee id of the author.
            text (str): Text of the note.
        Returns:
            dict: data is the note.
        Effect: write
        """
        problem = self._denied(author_id)
        if problem:
            return _fail(problem)
        if department_id not in self.departments or _bad_text(text):
            return _fail("Unknown department, or the text is empty or longer than 2000 characters")
        note_id = f"TN-{self.next_note_no}"
        self.next_note_no += 1
        self.team_notes[note_id] = {
            "note_id": note_id, "department_id": department_id, "author_id": author_id, "written_at": self._stamp(), "text": text,
        }
        return _ok(self.team_notes[note_id])

    def send_message(self, recipient: str, subject: str, body: str, staff_id: str) -> dict:
        """Send an email.

        Args:
            recipient (str): Email address.
            subject (str): Subject line.
            body (str): Text of the email.
            staff_id (str): Employee id of the sender.
        Returns:
            dict: data is the message.
        Effect: external
        """
        problem = self._denied(staff_id)
        if problem:
            return _fail(problem)
        if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", recipient):
            return _fail("The recipient must be an email address")
        if _bad_text(body) or len(subject) > _TEXT_LIMIT:
            return _fail("The body is empty, or a text is longer than 2000 characters")
        message_id = f"M-{self.next_message_no}"
        self.next_message_no += 1
        self.messages[message_id] = {
            "message_id": message_id, "recipient": recipient, "subject": subject, "body": body,
            "staff_id": staff_id, "sent_at": self._stamp(),
        }
        return _ok(self.messages[message_id])
