"""Bank back office

The operations desk of a Chinese retail bank (银行运营后台). Branches receive tickets, change
customer data, report and release lost cards, review transfers entered by a colleague,
correct bookings and freeze accounts. Names, notes and messages are Chinese; amounts are
yuan; all times are bank time (UTC+8), written as YYYY-MM-DD HH:MM.

Rules:
- 柜员 and 主管 act in their own branch; 客服, 清算员 and 合规员 act for all branches.
- Four eyes: nobody reviews a transfer or a change request that they entered, or adjusts a discrepancy that they verified.
- A change request takes effect only with complete materials, and for a customer of 高 risk only by a 主管.
- A 口头 loss report ends after 5 days and a 柜员 or 主管 of the branch releases it; a 书面 one has no end and only a 主管 does.
- No transfer leaves an account that is reported lost; a second report on it must be the step from 口头 to 书面.
- A transfer needs available money (balance - frozen), fits the daily limit, and a 柜员 approves up to 50000, a 主管 up to 500000.
- 跨行 transfers are approved Monday to Friday before the cut-off of the branch; for 行内 ones payee name and account must match.
- A discrepancy goes 待查 -> 已核实 -> 已调账; adjustments are posted from 09:00 to 16:30, by a 主管 up to 20000 or by a 清算员.
- A 风险 freeze lasts at most 3 days; a 司法 freeze needs a document number, at most 365 days, and only a 合规员 sets or lifts it.
- A ticket goes 待处理 -> 处理中 -> 已办结 or 已退回; who accepts it becomes its handler; only the handler or a 主管 closes it, with a comment.
- A daily limit is at most 50000 when a 柜员 sets it and at most 1000000 when a 主管 sets it.
"""

import copy
import re
from datetime import datetime, timedelta, timezone
from typing import Dict, List, Literal, Optional, TypedDict

_BANK_ZONE = timezone(timedelta(hours=8))
_REVIEW_LIMITS = {"柜员": 50000.0, "主管": 500000.0}
_DAILY_LIMITS = {"柜员": 50000.0, "主管": 1000000.0}
_ADJUST_LIMIT = 20000.0
_ORAL_DAYS = 5
_FREEZE_DAYS = {"风险": 3, "司法": 365}
_AMOUNT_LIMIT = 1e9
_TEXT_LIMIT = 2000


class BranchInfo(TypedDict):
    branch_id: str
    name: str
    phone: str
    cutoff: str  # HH:MM, for 跨行 transfers


class StaffInfo(TypedDict):
    staff_id: str
    name: str
    role: str  # 柜员, 主管, 客服, 清算员, 合规员
    branch_id: Optional[str]


class CustomerInfo(TypedDict):
    customer_id: str
    name: str
    id_tail: str  # last four characters of the identity number
    phone: str
    address: str
    risk_level: str  # 低, 中, 高
    remark: str  # free text


class AccountInfo(TypedDict):
    account_id: str
    customer_id: str
    branch_id: str
    kind: str  # 借记卡, 存折, 对公
    status: str  # 正常, 销户
    balance: float
    daily_limit: float
    remark: str  # free text


class LossReportInfo(TypedDict):
    report_id: str
    account_id: str
    kind: str  # 口头, 书面
    status: str  # 生效, 已转书面, 已解挂
    reported_at: str
    expires_on: Optional[str]  # last day, null for 书面
    operator_id: str
    note: str  # free text


class FreezeInfo(TypedDict):
    freeze_id: str
    account_id: str
    kind: str  # 风险, 司法
    amount: Optional[float]  # null: the whole account
    status: str  # 生效, 已解除
    document_no: str
    expires_on: str  # last day
    operator_id: str
    reason: str  # free text


class ChangeRequestInfo(TypedDict):
    request_id: str
    customer_id: str
    branch_id: str
    field: str  # 手机号, 地址
    new_value: str
    materials_complete: bool
    status: str  # 待审核, 已生效, 已驳回
    entered_by: str
    entered_at: str
    note: str  # free text
    review_note: str  # free text


class TransferInfo(TypedDict):
    transfer_id: str
    branch_id: str
    account_id: str  # payer
    channel: str  # 行内, 跨行
    payee_account: str
    payee_name: str
    amount: float
    purpose: str  # free text
    status: str  # 待复核, 已复核, 已退回
    entered_by: str
    entered_at: str
    reviewed_by: Optional[str]
    reviewed_at: Optional[str]
    opinion: str  # free text


class DiscrepancyInfo(TypedDict):
    error_id: str
    branch_id: str
    account_id: str
    direction: str  # 扣回, 补入
    amount: float
    status: str  # 待查, 已核实, 已调账
    found_on: str
    description: str  # free text
    finding: str  # free text
    verified_by: Optional[str]
    adjusted_by: Optional[str]


class TicketInfo(TypedDict):
    ticket_id: str
    branch_id: str
    kind: str  # 挂失, 解挂, 限额, 查询, 投诉, 其他
    customer_id: str
    account_id: Optional[str]
    status: str  # 待处理, 处理中, 已办结, 已退回
    handler_id: Optional[str]
    created_at: str
    description: str  # free text
    comments: List[dict]  # {time, author_id, text}; text is free text


class BranchNoteInfo(TypedDict):
    note_id: str
    branch_id: str
    author_id: str
    created_at: str
    content: str  # free text


class MessageInfo(TypedDict):
    message_id: str
    recipient: str
    content: str
    operator_id: str
    sent_at: str


def _ok(data) -> dict:
    return {"success": True, "data": copy.deepcopy(data)}


def _fail(error: str) -> dict:
    return {"success": False, "error": error}


def _bad_text(text: str) -> bool:
    return not text.strip() or len(text) > _TEXT_LIMIT


class BankBackOffice:
    def __init__(self, config: dict):
        """Load the state; every top-level key of config becomes an attribute."""
        self.branches: Dict[str, BranchInfo] = config.get("branches", {})
        self.staff: Dict[str, StaffInfo] = config.get("staff", {})
        self.customers: Dict[str, CustomerInfo] = config.get("customers", {})
        self.accounts: Dict[str, AccountInfo] = config.get("accounts", {})
        self.loss_reports: Dict[str, LossReportInfo] = config.get("loss_reports", {})
        self.freezes: Dict[str, FreezeInfo] = config.get("freezes", {})
        self.change_requests: Dict[str, ChangeRequestInfo] = config.get("change_requests", {})
        self.transfers: Dict[str, TransferInfo] = config.get("transfers", {})
        self.discrepancies: Dict[str, DiscrepancyInfo] = config.get("discrepancies", {})
        self.tickets: Dict[str, TicketInfo] = config.get("tickets", {})
        self.branch_notes: Dict[str, BranchNoteInfo] = config.get("branch_notes", {})
        self.messages: Dict[str, MessageInfo] = config.get("messages", {})
        self.next_report_no: int = config.get("next_report_no", 1)
        self.next_freeze_no: int = config.get("next_freeze_no", 1)
        self.next_request_no: int = config.get("next_request_no", 1)
        self.next_ticket_no: int = config.get("next_ticket_no", 1)
        self.next_note_no: int = config.get("next_note_no", 1)
        self.next_message_no: int = config.get("next_message_no", 1)

    def _now(self) -> str:
        return datetime.now(_BANK_ZONE).strftime("%Y-%m-%d %H:%M")

    def _today(self) -> str:
        return self._now()[:10]

    def _day_after(self, days: int) -> str:
        return (datetime.now(_BANK_ZONE) + timedelta(days=days)).strftime("%Y-%m-%d")

    def _denied(self, staff_id: str, roles: tuple, branch_id: Optional[str] = None) -> Optional[str]:
        """Why the person may not act with one of the roles in the branch, or None."""
        person = self.staff.get(staff_id)
        if person is None:
            return f"工号 {staff_id} 不存在"
        if person["role"] not in roles:
            return f"{person['role']}无权执行此操作，需要：{'、'.join(roles)}"
        if branch_id is not None and person["role"] in ("柜员", "主管") and person["branch_id"] != branch_id:
            return f"{person['name']}只能办理本网点业务"
        return None

    def _active_loss(self, account_id: str) -> Optional[LossReportInfo]:
        for report in self.loss_reports.values():
            if report["account_id"] == account_id and report["status"] == "生效":
                if report["expires_on"] is None or report["expires_on"] >= self._today():
                    return report
        return None

    def _active_freezes(self, account_id: str) -> List[FreezeInfo]:
        today = self._today()
        return [f for f in self.freezes.values() if f["account_id"] == account_id and f["status"] == "生效" and f["expires_on"] >= today]

    def _available(self, account: AccountInfo) -> float:
        left = account["balance"]
        for freeze in self._active_freezes(account["account_id"]):
            if freeze["amount"] is None:
                return 0.0
            left -= freeze["amount"]
        return round(max(left, 0.0), 2)

    def _paid_today(self, account_id: str) -> float:
        """Sum of the transfers of the account that were approved today."""
        total = 0.0
        for transfer in self.transfers.values():
            if transfer["account_id"] == account_id and transfer["status"] == "已复核" and transfer["reviewed_at"][:10] == self._today():
                total += transfer["amount"]
        return round(total, 2)

    def _open_account(self, account_id: str) -> Optional[AccountInfo]:
        account = self.accounts.get(account_id)
        return account if account is not None and account["status"] == "正常" else None

    def _cannot_pay(self, transfer: TransferInfo, role: str) -> Optional[str]:
        """Why the transfer cannot be approved now by this role, or None."""
        amount = transfer["amount"]
        if amount > _REVIEW_LIMITS[role]:
            return f"金额超过{role}复核上限 {_REVIEW_LIMITS[role]} 元"
        account = self._open_account(transfer["account_id"])
        if account is None:
            return "付款账户不存在或已销户"
        if self._active_loss(transfer["account_id"]):
            return "付款账户处于挂失状态"
        if amount > self._available(account):
            return f"可用余额不足，可用 {self._available(account)} 元"
        if round(self._paid_today(transfer["account_id"]) + amount, 2) > account["daily_limit"]:
            return f"超过日累计限额 {account['daily_limit']} 元"
        if transfer["channel"] == "跨行":
            now = datetime.now(_BANK_ZONE)
            if now.weekday() > 4 or now.strftime("%H:%M") >= self.branches[transfer["branch_id"]]["cutoff"]:
                return "已过跨行转账复核时间"
            return None
        payee = self._open_account(transfer["payee_account"])
        if payee is None or self.customers[payee["customer_id"]]["name"] != transfer["payee_name"]:
            return "收款账号与户名不符"
        return None

    def list_branches(self) -> dict:
        """List the branches with phones and cut-off times, and the current time.

        Returns:
            dict: data has now and branches.
        Effect: read
        """
        return _ok({"now": self._now(), "branches": list(self.branches.values())})

    def find_staff(self, role: Optional[Literal["柜员", "主管", "客服", "清算员", "合规员"]] = None, branch_id: Optional[str] = None) -> dict:
        """List staff, filtered by role and branch.

        Args:
            role (str): Role of the person; all roles when omitted.
            branch_id (str): Branch the person works in; all when omitted.
        Returns:
            dict: data is a list of staff.
        Effect: read
        """
        return _ok([s for s in self.staff.values() if role in (None, s["role"]) and branch_id in (None, s["branch_id"])])

    def find_customer(self, query: str) -> dict:
        """Find customers by customer id, or by a part of the name.

        Args:
            query (str): Customer id or name.
        Returns:
            dict: data is a list of customers with phone, address and remark.
        Effect: read
        """
        text = query.strip()
        if not text:
            return _fail("请提供客户号或姓名")
        found = [c for c in self.customers.values() if text == c["customer_id"] or text in c["name"]]
        return _ok(found) if found else _fail(f"未找到客户：{query}")

    def list_accounts(self, customer_id: str) -> dict:
        """List the accounts of a customer.

        Args:
            customer_id (str): Customer id.
        Returns:
            dict: data is a list of accounts.
        Effect: read
        """
        if customer_id not in self.customers:
            return _fail("客户不存在")
        return _ok([a for a in self.accounts.values() if a["customer_id"] == customer_id])

    def get_account(self, account_id: str) -> dict:
        """Read an account with its holder, available money, active loss report and active freezes.

        Args:
            account_id (str): Account id.
        Returns:
            dict: data is the account with name, available, paid_today, loss_report (or null) and freezes.
        Effect: read
        """
        account = self.accounts.get(account_id)
        if account is None:
            return _fail("账户不存在")
        return _ok(dict(
            account, name=self.customers[account["customer_id"]]["name"], available=self._available(account),
            paid_today=self._paid_today(account_id), loss_report=self._active_loss(account_id), freezes=self._active_freezes(account_id),
        ))

    def list_tickets(self, branch_id: str, status: Optional[Literal["待处理", "处理中", "已办结", "已退回"]] = None) -> dict:
        """List the tickets of a branch in short form, oldest first.

        Args:
            branch_id (str): Branch id.
            status (str): Only tickets in this status; all when omitted.
        Returns:
            dict: data is a list of tickets with ids, kind, status, handler and time.
        Effect: read
        """
        if branch_id not in self.branches:
            return _fail("网点不存在")
        keys = ("ticket_id", "kind", "customer_id", "account_id", "status", "handler_id", "created_at")
        rows = [t for t in self.tickets.values() if t["branch_id"] == branch_id and status in (None, t["status"])]
        rows.sort(key=lambda t: (t["created_at"], t["ticket_id"]))
        return _ok([{key: t[key] for key in keys} for t in rows])

    def get_ticket(self, ticket_id: str) -> dict:
        """Read a ticket with its description and comments.

        Args:
            ticket_id (str): Ticket id.
        Returns:
            dict: data is the ticket.
        Effect: read
        """
        ticket = self.tickets.get(ticket_id)
        return _ok(ticket) if ticket else _fail("工单不存在")

    def list_change_requests(self, branch_id: str, status: Optional[Literal["待审核", "已生效", "已驳回"]] = None) -> dict:
        """List requests of a branch to change customer data, with the names of the customers.

        Args:
            branch_id (str): Branch id.
            status (str): Only requests in this status; all when omitted.
        Returns:
            dict: data is a list of requests.
        Effect: read
        """
        rows = []
        for request in self.change_requests.values():
            if request["branch_id"] == branch_id and status in (None, request["status"]):
                rows.append(dict(request, name=self.customers[request["customer_id"]]["name"]))
        return _ok(rows)

    def list_transfers(self, branch_id: str, status: Optional[Literal["待复核", "已复核", "已退回"]] = None) -> dict:
        """List the transfers entered in a branch, oldest first.

        Args:
            branch_id (str): Branch id.
            status (str): Only transfers in this status; all when omitted.
        Returns:
            dict: data is a list of transfers.
        Effect: read
        """
        rows = [t for t in self.transfers.values() if t["branch_id"] == branch_id and status in (None, t["status"])]
        return _ok(sorted(rows, key=lambda t: (t["entered_at"], t["transfer_id"])))

    def list_discrepancies(self, branch_id: str, status: Optional[Literal["待查", "已核实", "已调账"]] = None) -> dict:
        """List the booking discrepancies of a branch.

        Args:
            branch_id (str): Branch id.
            status (str): Only discrepancies in this status; all when omitted.
        Returns:
            dict: data is a list of discrepancies.
        Effect: read
        """
        return _ok([d for d in self.discrepancies.values() if d["branch_id"] == branch_id and status in (None, d["status"])])

    def list_branch_notes(self, branch_id: str) -> dict:
        """List the duty notes of a branch, oldest first.

        Args:
            branch_id (str): Branch id.
        Returns:
            dict: data is a list of notes.
        Effect: read
        """
        if branch_id not in self.branches:
            return _fail("网点不存在")
        notes = [n for n in self.branch_notes.values() if n["branch_id"] == branch_id]
        return _ok(sorted(notes, key=lambda n: (n["created_at"], n["note_id"])))

    def submit_change_request(self, customer_id: str, branch_id: str, field: Literal["手机号", "地址"], new_value: str, materials_complete: bool, operator_id: str, note: str = "") -> dict:
        """Enter a request to change the phone or the address of a customer; a colleague must review it.

        Args:
            customer_id (str): Customer id.
            branch_id (str): Branch that received the request.
            field (str): 手机号 or 地址.
            new_value (str): New value; a phone has 11 digits.
            materials_complete (bool): Whether identity document and form are on file.
            operator_id (str): Staff id of 柜员, 主管 or 客服.
            note (str): Free text for the reviewer.
        Returns:
            dict: data is the request.
        Effect: write
        """
        if customer_id not in self.customers or branch_id not in self.branches:
            return _fail("客户或网点不存在")
        problem = self._denied(operator_id, ("柜员", "主管", "客服"), branch_id)
        if problem:
            return _fail(problem)
        if field not in ("手机号", "地址"):
            return _fail("只能变更手机号或地址")
        if field == "手机号" and not re.fullmatch(r"1[0-9]{10}", new_value):
            return _fail("手机号须为 11 位数字")
        if _bad_text(new_value):
            return _fail("新值不能为空")
        request_id = f"CR{self.next_request_no}"
        self.next_request_no += 1
        self.change_requests[request_id] = {
            "request_id": request_id, "customer_id": customer_id, "branch_id": branch_id, "field": field,
            "new_value": new_value, "materials_complete": materials_complete, "status": "待审核",
            "entered_by": operator_id, "entered_at": self._now(), "note": note, "review_note": "",
        }
        return _ok(self.change_requests[request_id])

    def review_change_request(self, request_id: str, decision: Literal["通过", "驳回"], operator_id: str, note: str = "") -> dict:
        """Let a change of customer data take effect, or reject it with a note.

        Args:
            request_id (str): Request that is 待审核.
            decision (str): 通过 or 驳回.
            operator_id (str): Staff id of 柜员 or 主管, not the person who entered it.
            note (str): Review note, needed for 驳回.
        Returns:
            dict: data is the request.
        Effect: write
        """
        request = self.change_requests.get(request_id)
        if request is None or request["status"] != "待审核":
            return _fail("变更申请不存在或不在待审核状态")
        problem = self._denied(operator_id, ("柜员", "主管"), request["branch_id"])
        if problem:
            return _fail(problem)
        if operator_id == request["entered_by"]:
            return _fail("录入人不能审核自己的申请")
        customer = self.customers[request["customer_id"]]
        if decision == "驳回":
            if _bad_text(note):
                return _fail("驳回须填写原因")
            request["status"] = "已驳回"
        elif decision == "通过":
            if not request["materials_complete"]:
                return _fail("申请材料不齐，不能通过")
            if customer["risk_level"] == "高" and self.staff[operator_id]["role"] != "主管":
                return _fail("高风险客户的变更须由主管审核")
            customer["phone" if request["field"] == "手机号" else "address"] = request["new_value"]
            request["status"] = "已生效"
        else:
            return _fail("审核意见只能是通过或驳回")
        request["review_note"] = note
        return _ok(request)

    def report_loss(self, account_id: str, kind: Literal["口头", "书面"], operator_id: str, note: str = "") -> dict:
        """Report a card or a passbook as lost; a 书面 report replaces an active 口头 one.

        Args:
            account_id (str): Account id.
            kind (str): 口头 (5 days) or 书面 (no end).
            operator_id (str): 柜员 or 主管 of the branch; 客服 only for 口头.
            note (str): Free text.
        Returns:
            dict: data is the loss report.
        Effect: write
        """
        account = self._open_account(account_id)
        if account is None:
            return _fail("账户不存在或已销户")
        roles = ("柜员", "主管", "客服") if kind == "口头" else ("柜员", "主管")
        problem = self._denied(operator_id, roles, account["branch_id"])
        if problem:
            return _fail(problem)
        if kind not in ("口头", "书面"):
            return _fail("挂失方式只能是口头或书面")
        active = self._active_loss(account_id)
        if active is not None and (kind == "口头" or active["kind"] == "书面"):
            return _fail(f"该账户已有生效的{active['kind']}挂失")
        if active is not None:
            active["status"] = "已转书面"
        report_id = f"LS{self.next_report_no}"
        self.next_report_no += 1
        self.loss_reports[report_id] = {
            "report_id": report_id, "account_id": account_id, "kind": kind, "status": "生效", "reported_at": self._now(),
            "expires_on": self._day_after(_ORAL_DAYS) if kind == "口头" else None, "operator_id": operator_id, "note": note,
        }
        return _ok(self.loss_reports[report_id])

    def release_loss(self, account_id: str, operator_id: str, note: str) -> dict:
        """Release the active loss report of an account.

        Args:
            account_id (str): Account id.
            operator_id (str): 柜员 or 主管 of the branch for 口头, 主管 of the branch for 书面.
            note (str): Why it is released; replaces the note of the report.
        Returns:
            dict: data is the loss report.
        Effect: write
        """
        report = self._active_loss(account_id)
        if report is None:
            return _fail("该账户没有生效的挂失")
        roles = ("柜员", "主管") if report["kind"] == "口头" else ("主管",)
        problem = self._denied(operator_id, roles, self.accounts[account_id]["branch_id"])
        if problem:
            return _fail(problem)
        if _bad_text(note):
            return _fail("解挂须填写说明")
        report["status"] = "已解挂"
        report["note"] = note
        return _ok(report)

    def review_transfer(self, transfer_id: str, decision: Literal["通过", "退回"], reviewer_id: str, opinion: str = "") -> dict:
        """Approve a transfer, which moves the money at once, or send it back with an opinion.

        Args:
            transfer_id (str): Transfer that is 待复核.
            decision (str): 通过 or 退回.
            reviewer_id (str): Staff id of 柜员 or 主管 of the branch, not the person who entered it.
            opinion (str): Opinion, needed for 退回.
        Returns:
            dict: data is the transfer.
        Effect: external
        """
        transfer = self.transfers.get(transfer_id)
        if transfer is None or transfer["status"] != "待复核":
            return _fail("转账不存在或不在待复核状态")
        problem = self._denied(reviewer_id, ("柜员", "主管"), transfer["branch_id"])
        if problem:
            return _fail(problem)
        if reviewer_id == transfer["entered_by"]:
            return _fail("录入人不能复核自己录入的转账")
        if decision == "退回":
            if _bad_text(opinion):
                return _fail("退回须填写意见")
            transfer["status"] = "已退回"
        elif decision == "通过":
            problem = self._cannot_pay(transfer, self.staff[reviewer_id]["role"])
            if problem:
                return _fail(problem)
            payer = self.accounts[transfer["account_id"]]
            payer["balance"] = round(payer["balance"] - transfer["amount"], 2)
            if transfer["channel"] == "行内":
                payee = self.accounts[transfer["payee_account"]]
                payee["balance"] = round(payee["balance"] + transfer["amount"], 2)
            transfer["status"] = "已复核"
        else:
            return _fail("复核意见只能是通过或退回")
        transfer["reviewed_by"] = reviewer_id
        transfer["reviewed_at"] = self._now()
        transfer["opinion"] = opinion
        return _ok(transfer)

    def verify_discrepancy(self, error_id: str, finding: str, operator_id: str) -> dict:
        """Record what the check of a discrepancy found; it becomes 已核实.

        Args:
            error_id (str): Discrepancy that is 待查.
            finding (str): What was found.
            operator_id (str): Staff id of 柜员, 主管 or 清算员.
        Returns:
            dict: data is the discrepancy.
        Effect: write
        """
        error = self.discrepancies.get(error_id)
        if error is None or error["status"] != "待查":
            return _fail("差错不存在或不在待查状态")
        problem = self._denied(operator_id, ("柜员", "主管", "清算员"), error["branch_id"])
        if problem:
            return _fail(problem)
        if _bad_text(finding):
            return _fail("核实结论不能为空，且不超过 2000 字")
        error["status"] = "已核实"
        error["finding"] = finding
        error["verified_by"] = operator_id
        return _ok(error)

    def adjust_discrepancy(self, error_id: str, operator_id: str) -> dict:
        """Post the adjustment of a verified discrepancy to the account.

        Args:
            error_id (str): Discrepancy that is 已核实.
            operator_id (str): Staff id of 主管 (up to 20000 yuan) or 清算员, not the verifier.
        Returns:
            dict: data is the discrepancy with the new balance of the account.
        Effect: write
        """
        error = self.discrepancies.get(error_id)
        if error is None or error["status"] != "已核实":
            return _fail("差错不存在或不在已核实状态")
        problem = self._denied(operator_id, ("主管", "清算员"), error["branch_id"])
        if problem:
            return _fail(problem)
        if operator_id == error["verified_by"]:
            return _fail("核实人不能调账")
        if not "09:00" <= self._now()[11:] < "16:30":
            return _fail("调账时间为 09:00 至 16:30")
        if self.staff[operator_id]["role"] == "主管" and error["amount"] > _ADJUST_LIMIT:
            return _fail(f"超过主管调账上限 {_ADJUST_LIMIT} 元，须由清算员办理")
        account = self._open_account(error["account_id"])
        if account is None:
            return _fail("账户不存在或已销户")
        if error["direction"] == "扣回" and error["amount"] > self._available(account):
            return _fail(f"可用余额不足，可用 {self._available(account)} 元")
        signed = error["amount"] if error["direction"] == "补入" else -error["amount"]
        account["balance"] = round(account["balance"] + signed, 2)
        error["status"] = "已调账"
        error["adjusted_by"] = operator_id
        return _ok(dict(error, balance=account["balance"]))

    def freeze_account(self, account_id: str, kind: Literal["风险", "司法"], days: int, reason: str, operator_id: str, amount: Optional[float] = None, document_no: str = "") -> dict:
        """Freeze an amount on an account, or the whole account.

        Args:
            account_id (str): Account id.
            kind (str): 风险 (1 to 3 days) or 司法 (1 to 365 days, needs a document number).
            days (int): How many days the freeze lasts.
            reason (str): Why the account is frozen.
            operator_id (str): Staff id of 主管 of the branch or 合规员; only 合规员 for 司法.
            amount (float): Yuan; the whole account when omitted.
            document_no (str): Number of the court document.
        Returns:
            dict: data is the freeze.
        Effect: write
        """
        account = self._open_account(account_id)
        if account is None:
            return _fail("账户不存在或已销户")
        problem = self._denied(operator_id, ("主管", "合规员") if kind == "风险" else ("合规员",), account["branch_id"])
        if problem:
            return _fail(problem)
        if kind not in _FREEZE_DAYS or not 1 <= days <= _FREEZE_DAYS[kind]:
            return _fail("冻结种类或期限不符合规定")
        if kind == "司法" and not document_no.strip():
            return _fail("司法冻结须有文书号")
        if amount is not None and not 0 < amount <= _AMOUNT_LIMIT:
            return _fail("冻结金额必须大于 0，且不超过 10 亿元")
        if _bad_text(reason):
            return _fail("冻结须填写原因")
        freeze_id = f"FZ{self.next_freeze_no}"
        self.next_freeze_no += 1
        self.freezes[freeze_id] = {
            "freeze_id": freeze_id, "account_id": account_id, "kind": kind,
            "amount": None if amount is None else round(float(amount), 2), "status": "生效", "document_no": document_no,
            "expires_on": self._day_after(days), "operator_id": operator_id, "reason": reason,
        }
        return _ok(self.freezes[freeze_id])

    def lift_freeze(self, freeze_id: str, operator_id: str, reason: str) -> dict:
        """Lift an active freeze.

        Args:
            freeze_id (str): Freeze id.
            operator_id (str): Staff id of 主管 of the branch or 合规员; only 合规员 for 司法.
            reason (str): Why it is lifted; replaces the reason of the freeze.
        Returns:
            dict: data is the freeze.
        Effect: write
        """
        freeze = self.freezes.get(freeze_id)
        if freeze is None or freeze["status"] != "生效":
            return _fail("冻结不存在或已解除")
        roles = ("主管", "合规员") if freeze["kind"] == "风险" else ("合规员",)
        problem = self._denied(operator_id, roles, self.accounts[freeze["account_id"]]["branch_id"])
        if problem:
            return _fail(problem)
        if _bad_text(reason):
            return _fail("解冻须填写原因")
        freeze["status"] = "已解除"
        freeze["reason"] = reason
        return _ok(freeze)

    def set_daily_limit(self, account_id: str, amount: float, operator_id: str) -> dict:
        """Set the daily transfer limit of an account.

        Args:
            account_id (str): Account id.
            amount (float): Yuan, zero or more.
            operator_id (str): Staff id of 柜员 (up to 50000) or 主管 (up to 1000000) of the branch.
        Returns:
            dict: data is the account.
        Effect: write
        """
        account = self._open_account(account_id)
        if account is None:
            return _fail("账户不存在或已销户")
        problem = self._denied(operator_id, ("柜员", "主管"), account["branch_id"])
        if problem:
            return _fail(problem)
        if not 0 <= amount <= _DAILY_LIMITS[self.staff[operator_id]["role"]]:
            return _fail("限额超出该岗位的设置权限")
        account["daily_limit"] = round(float(amount), 2)
        return _ok(account)

    def open_ticket(self, branch_id: str, kind: Literal["挂失", "解挂", "限额", "查询", "投诉", "其他"], customer_id: str, description: str, operator_id: str, account_id: Optional[str] = None) -> dict:
        """Open a ticket for a branch.

        Args:
            branch_id (str): Branch id.
            kind (str): Kind of the ticket.
            customer_id (str): Customer id.
            description (str): What is asked for.
            operator_id (str): Staff id, any role.
            account_id (str): Account the ticket is about, if any.
        Returns:
            dict: data is the ticket.
        Effect: write
        """
        if operator_id not in self.staff or branch_id not in self.branches or customer_id not in self.customers:
            return _fail("工号、网点或客户不存在")
        if account_id is not None and account_id not in self.accounts:
            return _fail("账户不存在")
        if kind not in ("挂失", "解挂", "限额", "查询", "投诉", "其他") or _bad_text(description):
            return _fail("工单类型不符，或内容为空、超过 2000 字")
        ticket_id = f"TK{self.next_ticket_no}"
        self.next_ticket_no += 1
        self.tickets[ticket_id] = {
            "ticket_id": ticket_id, "branch_id": branch_id, "kind": kind, "customer_id": customer_id, "account_id": account_id,
            "status": "待处理", "handler_id": None, "created_at": self._now(), "description": description, "comments": [],
        }
        return _ok(self.tickets[ticket_id])

    def update_ticket(self, ticket_id: str, operator_id: str, status: Optional[Literal["处理中", "已办结", "已退回"]] = None, comment: Optional[str] = None) -> dict:
        """Accept a ticket (处理中), close it (已办结 or 已退回), or only add a comment.

        Args:
            ticket_id (str): Ticket that is not closed.
            operator_id (str): Staff id of 柜员, 主管 or 客服.
            status (str): New status; unchanged when omitted.
            comment (str): Comment to add; needed to close the ticket.
        Returns:
            dict: data is the ticket.
        Effect: write
        """
        ticket = self.tickets.get(ticket_id)
        if ticket is None or ticket["status"] in ("已办结", "已退回"):
            return _fail("工单不存在或已关闭")
        problem = self._denied(operator_id, ("柜员", "主管", "客服"), ticket["branch_id"])
        if problem:
            return _fail(problem)
        if comment is not None and _bad_text(comment):
            return _fail("处理意见不能为空，且不超过 2000 字")
        if status == "处理中":
            if ticket["status"] != "待处理":
                return _fail("工单已在处理中")
            ticket["handler_id"] = operator_id
        elif status in ("已办结", "已退回"):
            if ticket["status"] != "处理中":
                return _fail("工单须先受理，再关闭")
            if operator_id != ticket["handler_id"] and self.staff[operator_id]["role"] != "主管":
                return _fail("只有受理人或主管可以关闭工单")
            if comment is None:
                return _fail("关闭工单须填写处理意见")
        elif status is not None:
            return _fail("未知的工单状态")
        elif comment is None:
            return _fail("没有需要更新的内容")
        if status is not None:
            ticket["status"] = status
        if comment is not None:
            ticket["comments"].append({"time": self._now(), "author_id": operator_id, "text": comment})
        return _ok(ticket)

    def add_branch_note(self, branch_id: str, author_id: str, content: str) -> dict:
        """Write a duty note for a branch.

        Args:
            branch_id (str): Branch id.
            author_id (str): Staff id of the author.
            content (str): Text of the note.
        Returns:
            dict: data is the note.
        Effect: write
        """
        if branch_id not in self.branches or author_id not in self.staff:
            return _fail("网点或工号不存在")
        if _bad_text(content):
            return _fail("内容不能为空，且不超过 2000 字")
        note_id = f"BN{self.next_note_no}"
        self.next_note_no += 1
        self.branch_notes[note_id] = {
            "note_id": note_id, "branch_id": branch_id, "author_id": author_id, "created_at": self._now(), "content": content,
        }
        return _ok(self.branch_notes[note_id])

    def send_message(self, recipient: str, content: str, operator_id: str) -> dict:
        """Send a text message to a member of staff or to a mobile number.

        Args:
            recipient (str): Staff id or 11-digit mobile number.
            content (str): Text of the message.
            operator_id (str): Staff id of the sender.
        Returns:
            dict: data is the message.
        Effect: external
        """
        if operator_id not in self.staff:
            return _fail("工号不存在")
        if recipient not in self.staff and not re.fullmatch(r"1[0-9]{10}", recipient):
            return _fail("收件人须为工号或 11 位手机号")
        if _bad_text(content):
            return _fail("短信内容不能为空，且不超过 2000 字")
        message_id = f"M{self.next_message_no}"
        self.next_message_no += 1
        self.messages[message_id] = {
            "message_id": message_id, "recipient": recipient, "content": content,
            "operator_id": operator_id, "sent_at": self._now(),
        }
        return _ok(self.messages[message_id])
